import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { type OrderStatus, orderStatuses } from '../core/orders.ts';
import { type Dispute, type Refund, refundStatuses } from '../core/payment-facts.ts';
import { findOrder } from '../db/orders.ts';
import { pay, placeOrder, untilStatus } from '../testing/buyer.ts';
import { freshOperators } from '../testing/desk.ts';
import { lastAttempt } from '../testing/inbox.ts';
import { runOps } from '../testing/operator.ts';
import { listOrderHistory } from '../testing/order-history.ts';
import { buyWithPaypal, captureOf, paypalControl } from '../testing/paypal.ts';
import { paidTwice } from '../testing/second-payments.ts';
import { withShop } from '../testing/shop.ts';
import { buyByCard, stripeControl } from '../testing/stripe.ts';
import { deliver, succeededEvent } from '../testing/stripe-events.ts';
import { waitFor } from '../testing/wait-for.ts';

// Every state of an order, a refund and a dispute has a command that ends it. No webhook helps.

const PRICE = 299_900;
const shop = await withShop({ worker: true });
const [olive] = await freshOperators(shop);

interface Way {
  /** Brings an order into the state; webhooks are delivered. */
  reach(): Promise<Reached>;
  /** What happens at the provider afterwards, unknown to us. */
  happens?: (reached: Reached) => Promise<unknown>;
  command(orderId: string): Promise<void>;
  /** The last move, made by the command. */
  move: [OrderStatus, OrderStatus];
  /** Of the move; the operator's by default. */
  cause?: 'reconciliation' | 'backfill';
}

interface Reached {
  orderId: string;
  /** Of the payment, refund or dispute that changes next at the provider. */
  id: string;
}

const ofOrders: Record<OrderStatus, Record<string, Way>> = {
  pending: {
    'cancel at the desk': { reach: placed, command: cancel, move: ['pending', 'canceled'] },
    'order reconcile': { reach: placed, happens: payNow, command: reconcile, move: ['pending', 'paid'] },
  },
  processing: {
    'order reconcile, once the bank has paid': {
      reach: () => attempted('pm_usBankAccount', 'processing'),
      happens: ({ id }) => stripeControl(shop, `/payment_intents/${id}/settle`, { outcome: 'succeeded' }),
      command: reconcile,
      move: ['processing', 'paid'],
    },
    'check at the desk, once the bank has refused': {
      reach: () => attempted('pm_usBankAccount', 'processing'),
      happens: ({ id }) => stripeControl(shop, `/payment_intents/${id}/settle`, { outcome: 'failed' }),
      command: check,
      move: ['processing', 'failed'],
      cause: 'reconciliation',
    },
  },
  failed: {
    'cancel at the desk': {
      reach: () => attempted('pm_card_chargeDeclined', 'failed'),
      command: cancel,
      move: ['failed', 'canceled'],
    },
    'order reconcile': {
      reach: () => attempted('pm_card_chargeDeclined', 'failed'),
      happens: payNow,
      command: reconcile,
      move: ['failed', 'paid'],
    },
  },
  canceled: {
    'order decide, of one that was canceled although money had come': {
      reach: canceledWithMoney,
      command: decide('paid'),
      move: ['canceled', 'paid'],
    },
  },
  paid: {
    'refund at the desk': { reach: paid, command: refund(PRICE), move: ['paid', 'refunded'] },
    'refund of a part at the desk': {
      reach: paid,
      command: refund(100_000),
      move: ['paid', 'partially_refunded'],
    },
  },
  partially_refunded: {
    'refund of the rest at the desk': {
      reach: () => refunded(100_000),
      command: refund(PRICE - 100_000),
      move: ['partially_refunded', 'refunded'],
    },
    'order reconcile, once the refund has failed': {
      reach: () => refunded(100_000),
      happens: failRefund,
      command: reconcile,
      move: ['partially_refunded', 'paid'],
    },
  },
  refunded: {
    'order keep-payment, if it was paid twice': {
      reach: refundedAndPaidAgain,
      command: keepSecond,
      move: ['refunded', 'paid'],
    },
    'order reconcile, once the refund has failed': {
      reach: () => refunded(PRICE),
      happens: failRefund,
      command: reconcile,
      move: ['refunded', 'paid'],
    },
  },
  disputed: {
    'order reconcile, once it is won': {
      reach: disputed,
      happens: close('won'),
      command: reconcile,
      move: ['disputed', 'paid'],
    },
    'order reconcile, once it is lost': {
      reach: disputed,
      happens: close('lost'),
      command: reconcile,
      move: ['disputed', 'refunded'],
    },
  },
  review: {
    'order decide paid': { reach: inReview, command: decide('paid'), move: ['review', 'paid'] },
    'order decide refunded': { reach: inReview, command: decide('refunded'), move: ['review', 'refunded'] },
    'order decide canceled': { reach: inReview, command: decide('canceled'), move: ['review', 'canceled'] },
  },
};

const ofRefunds: Record<Refund['status'], Record<string, Way>> = {
  pending: {
    'order reconcile, once it has arrived': {
      reach: () => pendingRefund(),
      happens: settleRefund('succeeded'),
      command: reconcile,
      move: ['paid', 'refunded'],
    },
  },
  succeeded: {
    'order reconcile, once it has failed': {
      reach: () => refunded(PRICE),
      happens: failRefund,
      command: reconcile,
      move: ['refunded', 'paid'],
    },
  },
  failed: {
    'refund at the desk again': {
      reach: () => pendingRefund('failed'),
      command: refund(PRICE),
      move: ['paid', 'refunded'],
    },
    'refund at the desk again, though it had closed a dispute': {
      reach: failedRefundOfDispute,
      command: refund(PRICE),
      move: ['paid', 'refunded'],
    },
  },
  canceled: {
    'refund at the desk again': {
      reach: () => pendingRefund('canceled'),
      command: refund(PRICE),
      move: ['paid', 'refunded'],
    },
  },
};

const ofDisputes: Record<Dispute['outcome'], Record<string, Way>> = {
  open: {
    'events backfill, once PayPal has decided': {
      reach: disputedAtPaypal,
      happens: ({ id }) => paypalControl(shop, `/disputes/${id}/resolve`, { outcome: 'won' }),
      command: backfill,
      move: ['disputed', 'paid'],
      cause: 'backfill',
    },
  },
  won: {
    'refund at the desk': {
      reach: () => closed('won', 'paid'),
      command: refund(PRICE),
      move: ['paid', 'refunded'],
    },
  },
  lost: {
    'order reconcile, once it has turned': {
      reach: () => closed('lost', 'refunded'),
      happens: close('won'),
      command: reconcile,
      move: ['refunded', 'paid'],
    },
  },
};

test('every status of an order, a refund and a dispute has a way out', () => {
  expect(Object.keys(ofOrders).sort()).toEqual([...orderStatuses].sort());
  expect(Object.keys(ofRefunds).sort()).toEqual([...refundStatuses].sort());
  expect(Object.keys(ofDisputes).sort()).toEqual(['lost', 'open', 'won']);
  for (const ways of [ofOrders, ofRefunds, ofDisputes].flatMap((table) => Object.values(table))) {
    expect(Object.keys(ways).length).toBeGreaterThan(0);
  }
});

test.each([
  ...waysOf('an order', ofOrders),
  ...waysOf('a refund', ofRefunds),
  ...waysOf('a dispute', ofDisputes),
])(
  '%s that is %s: %s',
  async (_what, _state, _name, { reach, happens, command, move: [from, to], cause = 'operator' }) => {
    const reached = await reach();
    await untilStatus(shop, reached.orderId, from);
    // A pending job would read the provider's next state and apply it before the command does.
    await waitFor('every event is applied', allIsApplied);
    shop.sandbox.faults.add({ target: 'webhooks', mode: 'drop' });
    await happens?.(reached);

    await command(reached.orderId);
    await untilStatus(shop, reached.orderId, to);
    const last = (await listOrderHistory(shop.db, reached.orderId)).at(-1);
    expect(last).toMatchObject({ from, to, cause });
  },
);

async function allIsApplied(): Promise<boolean> {
  if (shop.sandbox.webhooks.snapshot().length > 0) return false;
  return (await shop.db('payment_events').where({ status: 'received' }).first('id')) === undefined;
}

function waysOf(what: string, table: Record<string, Record<string, Way>>) {
  return Object.entries(table).flatMap(([state, ways]) =>
    Object.entries(ways).map(([name, way]) => [what, state, name, way] as const),
  );
}

async function placed(): Promise<Reached> {
  const { orderId, paymentIntentId: id } = await placeOrder(shop);
  return { orderId, id };
}

async function attempted(card: string, status: OrderStatus): Promise<Reached> {
  const order = await placeOrder(shop);
  await pay(shop, order, card);
  await untilStatus(shop, order.orderId, status);
  return { orderId: order.orderId, id: order.paymentIntentId };
}

async function inReview(): Promise<Reached> {
  const order = await placeOrder(shop);
  await deliver(shop, succeededEvent(order, { amount_received: 100 }));
  await untilStatus(shop, order.orderId, 'review');
  return { orderId: order.orderId, id: order.paymentIntentId };
}

async function canceledWithMoney(): Promise<Reached> {
  const reached = await inReview();
  await decide('canceled')(reached.orderId);
  return reached;
}

async function paid(): Promise<Reached> {
  const { orderId, charge } = await buyByCard(shop);
  return { orderId, id: charge };
}

async function refunded(amount: number): Promise<Reached> {
  const { orderId, charge } = await buyByCard(shop);
  const { id } = await shop.sandbox.stripeClient.refunds.create({ charge, amount });
  return { orderId, id };
}

/** Paid twice: the first payment was refunded, and the refund of the second one refused, and discarded by staff. */
async function refundedAndPaidAgain(): Promise<Reached> {
  const paid = await paidTwice(shop, { mode: 'error', code: 400 });
  const { orderId, paymentIntentId: id } = paid.order;
  await lastAttempt(shop, orderId, 'refund-duplicate');
  const dead = await waitFor('the refund is refused', () =>
    shop.db('outbox').where({ job: 'refund-duplicate', status: 'dead' }).first('id'),
  );
  await run('jobs', 'discard', dead.id, '--reason', 'Refunded the first one');
  shop.sandbox.faults.clear();
  await paypalControl(shop, `/captures/${captureOf(shop, { ...paid, orderId })}/refund`);
  return { orderId, id };
}

async function keepSecond(orderId: string): Promise<void> {
  const order = await findOrder(shop.db, orderId);
  const second = Object.keys(order?.facts.captures ?? {})[1] ?? '';
  await run('order', 'keep-payment', orderId, second, '--reason', 'The buyer wants the work');
}

/** A refund that the bank has not decided yet, or has decided so. */
async function pendingRefund(outcome?: 'failed' | 'canceled'): Promise<Reached> {
  const { orderId, charge } = await buyByCard(shop);
  shop.sandbox.behaviors.add({ name: 'stripe-pending-refund', match: charge, count: 1 });
  const { id } = await shop.sandbox.stripeClient.refunds.create({ charge });
  if (outcome) await settleRefund(outcome)({ id });
  const status = outcome ?? 'pending';
  await waitFor(`the refund is ${status}`, async () => {
    return (await findOrder(shop.db, orderId))?.facts.refunds?.[id]?.status === status;
  });
  return { orderId, id };
}

function settleRefund(outcome: string) {
  return ({ id }: Pick<Reached, 'id'>) => stripeControl(shop, `/refunds/${id}/settle`, { outcome });
}

function failRefund({ id }: Reached) {
  return stripeControl(shop, `/refunds/${id}/fail`);
}

async function disputed(): Promise<Reached> {
  const { orderId, charge } = await buyByCard(shop);
  const { id } = await stripeControl<{ id: string }>(shop, `/charges/${charge}/dispute`);
  await untilStatus(shop, orderId, 'disputed');
  return { orderId, id };
}

function close(outcome: string) {
  return ({ id }: Reached) => stripeControl(shop, `/disputes/${id}/close`, { outcome });
}

async function closed(outcome: string, status: OrderStatus): Promise<Reached> {
  const reached = await disputed();
  await close(outcome)(reached);
  await untilStatus(shop, reached.orderId, status);
  return reached;
}

/** A full refund closed PayPal's dispute in the buyer's favor, and failed. */
async function failedRefundOfDispute(): Promise<Reached> {
  const { orderId, captureId } = await buyWithPaypal(shop);
  await paypalControl(shop, `/captures/${captureId}/dispute`, { inquiry: true });
  shop.sandbox.behaviors.add({ name: 'paypal-pending-refund', match: captureId, count: 1 });
  const { id } = await paypalControl<{ id: string }>(shop, `/captures/${captureId}/refund`);
  await paypalControl(shop, `/refunds/${id}/settle`, { outcome: 'failed' });
  await waitFor('the refund has failed', async () => {
    return (await findOrder(shop.db, orderId))?.facts.refunds?.[id]?.status === 'failed';
  });
  return { orderId, id };
}

async function disputedAtPaypal(): Promise<Reached> {
  const purchase = await buyWithPaypal(shop);
  const capture = captureOf(shop, purchase);
  const { dispute_id: id } = await paypalControl<{ dispute_id: string }>(
    shop,
    `/captures/${capture}/dispute`,
  );
  return { orderId: purchase.orderId, id };
}

async function payNow({ orderId, id }: Reached): Promise<void> {
  await pay(shop, { orderId, paymentIntentId: id, clientSecret: '' });
}

async function cancel(orderId: string): Promise<void> {
  const { status: seen } = await olive.show(orderId);
  await act(orderId, { action: 'cancel', reason: 'Ordered twice', seen, key: randomUUID() });
}

async function check(orderId: string): Promise<void> {
  await act(orderId, { action: 'check', reason: 'The buyer called', key: randomUUID() });
}

function refund(amount: number) {
  return async (orderId: string) => act(orderId, await olive.refundOf(orderId, amount));
}

async function act(orderId: string, wanted: object): Promise<void> {
  const answer = await olive.actOn(orderId, wanted);
  expect(answer.status, await answer.text()).toBe(200);
}

function reconcile(orderId: string): Promise<void> {
  return run('order', 'reconcile', orderId);
}

function decide(status: string) {
  return (orderId: string) => run('order', 'decide', orderId, status);
}

function backfill(): Promise<void> {
  return run('events', 'backfill', '--since', '1h', '--provider', 'paypal');
}

async function run(...words: string[]): Promise<void> {
  const { code, err } = await runOps(shop, [...words, '--yes']);
  expect(code, err).toBe(0);
}

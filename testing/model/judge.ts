import { legalMoves } from '../../core/order-lifecycle.ts';
import type { OrderStatus } from '../../core/orders.ts';
import { readOrderTimeline } from '../../db/order-timeline.ts';
import { findOrder, type Order } from '../../db/orders.ts';
import { listOrderHistory } from '../order-history.ts';
import type { Shop } from '../shop.ts';
import { type MailRow, wrongRefunds } from './judge-refunds.ts';
import type { LedgerPayment } from './ledger.ts';
import { isExact, type Model, owed, owedForMismatch, taken } from './model.ts';

/** The differences between the shop's order, history, mails and timeline and what the providers' records call for. */
export async function judgeOrder(shop: Pick<Shop, 'db'>, orderId: string, model: Model): Promise<string[]> {
  const order = await findOrder(shop.db, orderId);
  if (!order) return [`order ${orderId} is gone`];
  const mails: MailRow[] = await shop
    .db('emails')
    .where({ order_id: orderId })
    .select('kind', 'status', 'params');
  return [
    ...wrongMoney(order, model, mails),
    ...wrongMails(order, model, mails),
    ...(await wrongHistory(shop, order, mails)),
    ...(await wrongTimeline(shop, order, mails)),
  ];
}

const unpaid: OrderStatus[] = ['pending', 'processing', 'failed', 'canceled'];

function wrongMoney(order: Order, model: Model, mails: MailRow[]): string[] {
  const money = taken(model);
  if (money.length === 0) return wrongUnpaid(order, model);
  const unknown = money.filter(({ id }) => !(id in order.facts.captures));
  if (unknown.length > 0) {
    return [`lost: ${unknown.map(({ id }) => id)} took money, the order is ${order.status}`];
  }
  const settling = settledBy(order, model);
  const expected = settling ? owed(model, settling) : owedForMismatch(model, money);
  const violations = wrongRefunds(model, money, settling, mails);
  if (settling) violations.push(...stillPayable(order, model));
  if (order.status !== expected.status) violations.push(`status is ${order.status}, not ${expected.status}`);
  if (order.amountRefunded !== expected.amountRefunded) {
    violations.push(`${order.amountRefunded} cents refunded, not ${expected.amountRefunded}`);
  }
  return violations;
}

/** PayPal cannot cancel a payment, but only we can capture it. No buyer has the secret of one that the order does not know. */
function stillPayable(
  { paymentIntentId, formerPaymentIds }: Order,
  { payments }: Model,
  isPaid = true,
): string[] {
  const known = [...formerPaymentIds, ...(isPaid ? [paymentIntentId] : [])];
  return payments
    .filter(({ id, state, provider }) => provider === 'stripe' && state === 'open' && known.includes(id))
    .map(({ id }) => `${id} can still be paid`);
}

/** The payment that staff kept, otherwise the first exact one known. */
function settledBy({ facts }: Order, model: Model): LedgerPayment | undefined {
  const kept = taken(model).find(({ id }) => id === model.kept);
  if (kept) return kept;
  const exact = taken(model).filter((payment) => isExact(model, payment));
  const first = Object.keys(facts.captures).find((known) => exact.some(({ id }) => id === known));
  return exact.find(({ id }) => id === first);
}

function wrongUnpaid(order: Order, model: Model): string[] {
  const { payments, hasExpired, isCanceled } = model;
  const violations = unpaid.includes(order.status) ? [] : [`${order.status} without money`];
  if (order.amountRefunded !== 0) violations.push(`${order.amountRefunded} cents refunded of nothing`);
  const current = payments.find(({ id }) => id === order.paymentIntentId);
  if (current?.state === 'processing' && order.status !== 'processing') {
    violations.push(`${order.status} while ${current.id} is processing`);
  }
  if (order.status === 'processing' && current?.state !== 'processing') {
    violations.push(`processing while ${current?.id} is ${current?.state}`);
  }
  violations.push(...stillPayable(order, model, false));
  const mayGoOn = current?.state === 'approved' || payments.some(({ state }) => state === 'processing');
  if (hasExpired && order.status !== 'canceled' && !mayGoOn)
    violations.push(`${order.status} after it expired`);
  if (isCanceled && order.status !== 'canceled' && !mayGoOn)
    violations.push(`${order.status} after staff canceled it`);
  if (isCanceled && current?.provider === 'stripe' && current.state === 'open')
    violations.push(`${current.id} of a canceled order can still be paid`);
  return violations;
}

function wrongMails(order: Order, model: Model, mails: MailRow[]): string[] {
  const count = (kind: string) => mails.filter((mail) => mail.kind === kind).length;
  const money = taken(model);
  const exact = money.filter((payment) => isExact(model, payment));
  const wanted = exact.length > 0 || model.wasAccepted ? 1 : 0;
  const violations = ['order_confirmation', 'order_notice'].flatMap((kind) =>
    count(kind) === wanted ? [] : [`${count(kind)} mails ${kind}, not ${wanted}`],
  );
  const unsent = mails.filter(({ kind, status }) => status !== 'sent' && !maybePointless.has(kind));
  violations.push(...unsent.map(({ kind, status }) => `mail ${kind} is ${status}`));
  const settling = settledBy(order, model);
  if (settling?.refunds.some(({ status }) => status === 'succeeded') && count('refund_notice') === 0) {
    violations.push('the buyer knows of no refund');
  }
  if (
    model.kept &&
    !mails.some(({ kind, params }) => kind === 'payment_kept' && params.paymentId === model.kept)
  ) {
    violations.push(`the buyer does not know that ${model.kept} is kept`);
  }
  violations.push(
    ...money.flatMap((payment) => [...untoldRefunds(payment, mails), ...untoldDisputes(payment, mails)]),
  );
  const duplicates = Math.max(0, exact.length - 1);
  if (count('duplicate_payment_alert') !== duplicates) {
    violations.push(`${count('duplicate_payment_alert')} alerts of ${duplicates} duplicate payments`);
  }
  return violations;
}

/** Staff must be notified of every refund that fails. */
function untoldRefunds({ refunds }: LedgerPayment, mails: MailRow[]): string[] {
  return refunds
    .filter(({ status }) => status === 'failed' || status === 'canceled')
    .filter(
      ({ id }) => !mails.some(({ kind, params }) => kind === 'refund_failed_alert' && params.refundId === id),
    )
    .map(({ id, status }) => `staff know nothing of the ${status} refund ${id}`);
}

function untoldDisputes({ disputes }: LedgerPayment, mails: MailRow[]): string[] {
  return disputes.flatMap(({ id, outcome }) => {
    const states = mails
      .filter(({ kind, params }) => kind === 'dispute_notice' && params.disputeId === id)
      .map(({ params }) => params.state);
    const violations = states.includes('opened') ? [] : [`staff know nothing of dispute ${id}`];
    if (outcome !== 'open' && !states.includes(outcome))
      violations.push(`staff do not know ${id} was ${outcome}`);
    return violations;
  });
}

/** Mails that wait, or report a state that can change at once, and so may become pointless before they are sent. */
const maybePointless = new Set([
  'payment_failed',
  'payment_processing',
  'order_canceled',
  'dispute_reminder',
  'payment_kept',
]);

async function wrongHistory({ db }: Pick<Shop, 'db'>, order: Order, mails: MailRow[]): Promise<string[]> {
  const history = await listOrderHistory(db, order.id);
  const violations = history.flatMap(({ from, to }, index) => {
    const before = history[index - 1]?.to ?? null;
    const isLegal = before === null || legalMoves[before].includes(to);
    return from === before && isLegal ? [] : [`history goes from ${before} to ${to}, written from ${from}`];
  });
  const last = history.at(-1)?.to;
  if (last !== order.status) violations.push(`history ends with ${last}, the order is ${order.status}`);
  // A buyer who was informed of a processing payment or a review must be informed of the cancellation.
  const wasUnderWay = history.some(
    ({ from, to }) => to === 'canceled' && (from === 'processing' || from === 'review'),
  );
  const cancellations = mails.filter(({ kind }) => kind === 'order_canceled').length;
  if (cancellations !== Number(wasUnderWay)) violations.push(`${cancellations} mails order_canceled`);
  return violations;
}

/** The timeline names every move and every mail, and nothing in it waits for an operator. */
async function wrongTimeline({ db }: Pick<Shop, 'db'>, order: Order, mails: MailRow[]): Promise<string[]> {
  const known = await readOrderTimeline(db, order.id);
  const entries = known?.timeline ?? [];
  const moves = (await listOrderHistory(db, order.id)).length;
  const count = (what: string) => entries.filter((entry) => entry.what === what).length;
  const violations: string[] = [];
  if (count('move') !== moves) violations.push(`timeline has ${count('move')} of ${moves} moves`);
  if (count('mail') !== mails.length)
    violations.push(`timeline has ${count('mail')} of ${mails.length} mails`);
  const isHandedOver = mails.some(({ kind }) => kind === 'refund_failed_alert');
  const stuck = entries.filter(
    ({ what, text }) =>
      (what === 'job' || what === 'event') &&
      /: dead/.test(text) &&
      !(isHandedOver && /^refund-(duplicate|payment)/.test(text)),
  );
  return [...violations, ...stuck.map(({ text }) => `dead: ${text}`)];
}

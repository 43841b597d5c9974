import type { JobPayload } from '../core/jobs.ts';
import { type NotKeepable, whyNotKeepable } from '../core/kept-payment.ts';
import { settlingPayment } from '../core/order-money.ts';
import { addFact } from '../core/payment-facts.ts';
import { databaseTime, type Transaction } from '../db/database.ts';
import { findOrder, lockOrder, type Order } from '../db/orders.ts';
import { enqueue } from '../db/outbox.ts';
import { hasOpenRefund } from '../db/refunds.ts';
import { PermanentFailure, RetryLater } from '../infra/retry.ts';
import { actionNotPossible, OrderError, orderChanged } from './errors.ts';
import type { JobRun, OrderParts } from './parts.ts';
import { providerOfCapture } from './provider-of.ts';
import { ownReport, receiveReportIn } from './receive-report.ts';

/**
 * Asks the providers whether staff can keep a second payment as the order's own: it must hold its money, and the payment that
 * settled the order none. Read-only.
 * @throws OrderError if they cannot, ProviderError if a provider does not answer
 */
export async function requireKeepable(
  parts: Pick<OrderParts, 'db' | 'gateways'>,
  order: Order,
  paymentId: string,
): Promise<void> {
  const known = whyNotKeepable(order, order.facts, paymentId);
  if (known && known !== 'paid twice') throw notKeepable(order, paymentId, known);
  const reported = await Promise.all(
    [settlingPayment(order, order.facts), paymentId].map((id) => report(parts, order, id)),
  );
  const facts = reported.flat().reduce(addFact, order.facts);
  const reason = whyNotKeepable(order, facts, paymentId);
  if (reason) throw notKeepable(order, paymentId, reason);
  if (known) {
    throw actionNotPossible(
      `The order does not have all that its provider reports. First: ops order reconcile ${order.id}`,
    );
  }
}

/** Has a worker keep the payment, under the order's lock. @throws OrderError */
export async function requestKeeping(
  trx: Transaction,
  order: Order,
  { paymentId }: { paymentId: string },
): Promise<void> {
  const reason = whyNotKeepable(order, order.facts, paymentId);
  if (reason) throw notKeepable(order, paymentId, reason);
  await requireNoRefund(trx, order, paymentId);
  await enqueue(trx, { name: 'keep-payment', payload: { orderId: order.id, paymentId } });
}

/**
 * Does what {@link requestKeeping} was asked for.
 * @throws PermanentFailure if the providers show that the payment cannot be kept
 */
export async function keepRequestedPayment(
  parts: OrderParts,
  { orderId, paymentId }: JobPayload<'keep-payment'>,
  run: JobRun,
): Promise<void> {
  const order = await findOrder(parts.db, orderId);
  if (!order || settlingPayment(order, order.facts) === paymentId) return run.complete();
  try {
    await requireKeepable(parts, order, paymentId);
    await run.complete(async (trx) => void (await keepPayment(trx, order, { paymentId })));
  } catch (error) {
    if (!(error instanceof OrderError)) throw error;
    throw error.code === 'order_changed'
      ? new RetryLater(error.message)
      : new PermanentFailure(error.message);
  }
}

/**
 * Puts the operator's decision into the inbox, unless the order has changed since {@link requireKeepable}. Returns the ids of
 * the rows for a worker to apply.
 * @throws OrderError
 */
export async function keepPayment(
  trx: Transaction,
  order: Order,
  { paymentId, reason }: { paymentId: string; reason?: string },
): Promise<string[]> {
  // A refund at the desk takes the same lock.
  const locked = await lockOrder(trx, order.id);
  if (locked?.version !== order.version) throw orderChanged();
  await requireNoRefund(trx, order, paymentId);
  const kept = { kind: 'kept', paymentId, observedAt: await databaseTime(trx) } as const;
  const note = `kept ${paymentId}${reason ? `: ${reason}` : ''}`;
  const row = await receiveReportIn(trx, locked, ownReport(locked, kept), { source: 'operator', note });
  return row ? [row] : [];
}

async function requireNoRefund(trx: Transaction, order: Order, paymentId: string): Promise<void> {
  if (await hasOpenRefund(trx, order.id, paymentId)) {
    throw actionNotPossible(
      `A refund of ${paymentId} is still to be made. Wait for it, or discard its failed job first.`,
    );
  }
}

async function report({ db, gateways }: Pick<OrderParts, 'db' | 'gateways'>, order: Order, id?: string) {
  if (id === undefined) return [];
  const gateway = gateways[providerOfCapture(order, id)];
  return (await gateway.report(id, await databaseTime(db), { withDisputes: true })).facts;
}

function notKeepable(order: Order, paymentId: string, reason: NotKeepable) {
  return actionNotPossible(texts[reason](paymentId, settlingPayment(order, order.facts)));
}

const texts: Record<NotKeepable, (paymentId: string, settledBy: string | undefined) => string> = {
  'no money': (id) => `${id} took no money for this order.`,
  own: (id) => `${id} is the order's own payment already.`,
  undecided: (id) => `The order is not settled by another payment than ${id}. Decide it instead.`,
  unfit: (id) => `${id} is in another currency, or names another order.`,
  refunded: (id) => `${id} was refunded, or is about to be.`,
  disputed: (id) => `${id} is disputed, or was lost to a dispute.`,
  'paid twice': (id, first) =>
    `With ${id} the order would be paid twice: ${first} holds money, or may get it back from a pending refund or dispute.`,
};

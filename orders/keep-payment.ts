import { type NotKeepable, whyNotKeepable } from '../core/kept-payment.ts';
import { settlingPayment } from '../core/order-money.ts';
import { addFact } from '../core/payment-facts.ts';
import { databaseTime, type Transaction } from '../db/database.ts';
import { lockOrder, type Order } from '../db/orders.ts';
import { hasOpenRefund } from '../db/refunds.ts';
import { actionNotPossible, orderChanged } from './errors.ts';
import type { OrderParts } from './parts.ts';
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

/**
 * Puts the operator's decision into the inbox, unless the order has changed since {@link requireKeepable}. Returns the ids of
 * the rows for a worker to apply.
 * @throws OrderError
 */
export async function keepPayment(
  trx: Transaction,
  order: Order,
  { paymentId, reason }: { paymentId: string; reason: string },
): Promise<string[]> {
  // A refund at the desk takes the same lock.
  const locked = await lockOrder(trx, order.id);
  if (locked?.version !== order.version) throw orderChanged();
  if (await hasOpenRefund(trx, order.id, paymentId)) {
    throw actionNotPossible(
      `A refund of ${paymentId} is still to be made. Wait for it, or discard its failed job: ops jobs failed`,
    );
  }
  const kept = { kind: 'kept', paymentId, observedAt: await databaseTime(trx) } as const;
  const note = `kept ${paymentId}: ${reason}`;
  const row = await receiveReportIn(trx, locked, ownReport(locked, kept), { source: 'operator', note });
  return row ? [row] : [];
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
  'other price': (id) => `${id} is not of the order's price, or names another order.`,
  refunded: (id) => `${id} was refunded, or is about to be.`,
  disputed: (id) => `${id} is disputed, or was lost to a dispute.`,
  'paid twice': (id, first) =>
    `With ${id} the order would be paid twice: ${first} holds money, or may get it back from a pending refund or dispute.`,
};

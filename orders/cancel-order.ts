import { isCancelable } from '../core/desk-actions.ts';
import type { JobPayload } from '../core/jobs.ts';
import { databaseTime, type Transaction } from '../db/database.ts';
import { findOrder, type Order } from '../db/orders.ts';
import { enqueue } from '../db/outbox.ts';
import { crashPoint } from '../infra/crash-point.ts';
import { actionNotPossible } from './errors.ts';
import type { JobRun, OrderParts } from './parts.ts';
import { ownReport, receiveReportIn } from './receive-report.ts';

export async function requestCancellation(trx: Transaction, { id: orderId, status }: Order): Promise<void> {
  if (!isCancelable(status)) throw actionNotPossible('Only unpaid orders can be canceled.');
  await enqueue(trx, { name: 'cancel-order', payload: { orderId } });
}

/** Cancels the order's payment first, so that it cannot be paid afterwards. An order paid meanwhile stays paid. */
export async function cancelOrder(
  parts: OrderParts,
  { orderId }: JobPayload<'cancel-order'>,
  run: JobRun,
): Promise<void> {
  const order = await findOrder(parts.db, orderId);
  if (!order || !isCancelable(order.status)) return run.complete();
  const observedAt = await databaseTime(parts.db);
  const gateway = parts.gateways[order.paymentMethod];
  const paymentId = order.paymentIntentId ?? (await gateway.findPaymentOf(order));
  const payment = paymentId ? await gateway.cancelPayment(paymentId, observedAt) : undefined;
  crashPoint('after-cancel');
  // PayPal cannot cancel an approval, but only we can capture it. A capture in progress still counts as soon as it is known.
  const isUntaken = !payment || payment.stage === 'approved';
  const report = isUntaken
    ? ownReport(order, { kind: 'attempt', status: 'canceled', reason: 'canceled by staff', observedAt })
    : payment;
  await run.complete(async (trx) => {
    await receiveReportIn(trx, order, report, { source: 'operator' });
  });
}

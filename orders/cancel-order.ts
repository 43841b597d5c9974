import { isCancelable } from '../core/desk-actions.ts';
import type { JobPayload } from '../core/jobs.ts';
import { isUnsettled } from '../core/order-lifecycle.ts';
import { tookMoney } from '../core/payment-reports.ts';
import { databaseTime, type Transaction } from '../db/database.ts';
import { findOrder, lockOrder, type Order } from '../db/orders.ts';
import { enqueue } from '../db/outbox.ts';
import { crashPoint } from '../infra/crash-point.ts';
import { RetryLater } from '../infra/retry.ts';
import { actionNotPossible } from './errors.ts';
import type { JobRun, OrderParts } from './parts.ts';
import { ownReport, receiveReportIn } from './receive-report.ts';

export async function requestCancellation(trx: Transaction, { id: orderId, status }: Order): Promise<void> {
  if (!isCancelable(status)) throw actionNotPossible('Only unpaid orders can be canceled.');
  await enqueue(trx, { name: 'cancel-order', payload: { orderId } });
}

/**
 * Cancels the order's payment first, so that it cannot be paid afterwards, then the order. An
 * order paid meanwhile stays paid; one whose bank is processing the payment is canceled if that fails.
 * @throws RetryLater if the order's payment was replaced meanwhile: the new one has to be canceled, too
 */
export async function cancelOrder(
  parts: OrderParts,
  { orderId }: JobPayload<'cancel-order'>,
  run: JobRun,
): Promise<void> {
  const order = await findOrder(parts.db, orderId);
  if (!order || !isUnsettled(order.status)) return run.complete();
  const observedAt = await databaseTime(parts.db);
  const gateway = parts.gateways[order.paymentMethod];
  const paymentId = order.paymentIntentId ?? (await gateway.findPaymentOf(order));
  const payment = paymentId ? await gateway.cancelPayment(paymentId, observedAt) : undefined;
  crashPoint('after-cancel');
  const canceled = { kind: 'attempt', status: 'canceled', reason: 'canceled by staff', observedAt } as const;
  await run.complete(async (trx) => {
    const locked = await lockOrder(trx, orderId);
    if (locked?.paymentIntentId !== order.paymentIntentId || locked.paymentMethod !== order.paymentMethod) {
      throw new RetryLater(`payment of order ${orderId} was replaced`, 1_000);
    }
    // PayPal cannot cancel an approval, but only we can capture it.
    if (payment && payment.stage !== 'approved') {
      await receiveReportIn(trx, order, payment, { source: 'operator' });
    }
    if (payment && tookMoney(payment)) return;
    await receiveReportIn(trx, order, ownReport(order, canceled), { source: 'operator' });
  });
}

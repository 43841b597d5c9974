import type { JobPayload } from '../core/jobs.ts';
import { isSurplus } from '../core/order-money.ts';
import { type PaymentReport, tookMoney } from '../core/payment-reports.ts';
import { databaseTime } from '../db/database.ts';
import { queueEmails } from '../db/emails.ts';
import { findOrder } from '../db/orders.ts';
import { crashPoint } from '../infra/crash-point.ts';
import { isNotFound } from '../providers/provider-error.ts';
import type { JobRun, OrderParts } from './parts.ts';
import { receiveReportIn } from './receive-report.ts';

/** A debit takes days to process and can rarely be canceled meanwhile (https://docs.stripe.com/api/payment_intents/cancel). */
const WHILE_PROCESSING_MS = 3_600_000;

/**
 * Cancels at its provider a former payment, or the current one of an order that another payment pays; money it took anyway
 * goes through the inbox. Retries until the payment has ended. Until then the order does not expire.
 */
export async function cancelPayment(
  parts: OrderParts,
  { orderId, paymentId, provider }: JobPayload<'cancel-payment'>,
  run: JobRun,
): Promise<void> {
  const order = await findOrder(parts.db, orderId);
  const isFormer = order?.formerPaymentIds.includes(paymentId);
  if (!order || !(isFormer || isSurplus(order, order.facts, paymentId))) return run.complete();
  const observedAt = await databaseTime(parts.db);
  const report = await parts.gateways[provider].cancelPayment(paymentId, observedAt).catch((error) => {
    if (isNotFound(error)) return undefined;
    throw error;
  });
  crashPoint('after-cancel');
  if (report && isProcessing(report)) return run.postpone(WHILE_PROCESSING_MS);
  await run.complete(async (trx) => {
    if (!report || !tookMoney(report)) return;
    await receiveReportIn(trx, order, report, { source: 'reconciliation', provider });
  });
}

function isProcessing({ facts }: PaymentReport): boolean {
  return facts.some((fact) => fact.kind === 'attempt' && fact.status === 'processing');
}

/** The payment may still be paid: staff have to cancel it in the provider's dashboard. */
export async function onCancelPaymentFailed(
  parts: OrderParts,
  { orderId, paymentId, provider }: JobPayload<'cancel-payment'>,
  reason: string,
): Promise<void> {
  await parts.outbox.transaction(null, (trx) =>
    queueEmails(trx, [
      {
        kind: 'payment_end_failed_alert',
        dedupeKey: `${orderId}:${paymentId}`,
        params: { paymentId, provider, reason },
        orderId,
      },
    ]),
  );
}

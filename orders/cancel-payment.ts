import type { JobPayload } from '../core/jobs.ts';
import { databaseTime } from '../db/database.ts';
import { queueEmails } from '../db/emails.ts';
import { findOrder } from '../db/orders.ts';
import { crashPoint } from '../infra/crash-point.ts';
import { isNotFound } from '../providers/provider-error.ts';
import type { JobRun, OrderParts } from './parts.ts';
import { receiveReportIn } from './receive-report.ts';

/** Cancels a former payment at its provider. If it took money all the same, that goes through the inbox. */
export async function cancelPayment(
  parts: OrderParts,
  { orderId, paymentId, provider }: JobPayload<'cancel-payment'>,
  run: JobRun,
): Promise<void> {
  const order = await findOrder(parts.db, orderId);
  if (!order?.formerPaymentIds.includes(paymentId)) return run.complete();
  const observedAt = await databaseTime(parts.db);
  const report = await parts.gateways[provider].cancelPayment(paymentId, observedAt).catch((error) => {
    if (isNotFound(error)) return undefined;
    throw error;
  });
  crashPoint('after-cancel');
  await run.complete(async (trx) => {
    if (report) await receiveReportIn(trx, order, report, { source: 'reconciliation', provider });
  });
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

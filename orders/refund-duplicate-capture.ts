import type { JobPayload } from '../core/jobs.ts';
import { findOrder } from '../db/orders.ts';
import { PermanentFailure } from '../infra/retry.ts';
import { gatewayOf } from '../providers/gateway.ts';
import type { WorkerParts } from '../worker/parts.ts';
import type { JobRun } from '../worker/run-job.ts';

/** Gives back the second payment of an order that was paid twice (reliability.md F35); staff are told separately. */
export async function refundDuplicateCapture(
  parts: WorkerParts,
  { orderId, captureId }: JobPayload<'refund-duplicate-capture'>,
  run: JobRun,
): Promise<void> {
  const order = await findOrder(parts.db, orderId);
  const capture = order?.facts.captures[captureId];
  if (!order || !capture) throw new PermanentFailure(`Order ${orderId} knows no capture ${captureId}`);
  await gatewayOf(parts.gateways, capture.provider ?? order.paymentMethod).refundCapture(captureId, capture);
  await run.complete();
  run.logger.info({ orderId, captureId }, 'duplicate payment refunded');
}

import { isUnsettled } from '../core/order-lifecycle.ts';
import { declinesOf } from '../core/payment-facts.ts';
import type { PaymentReport } from '../core/payment-reports.ts';
import { databaseTime } from '../db/database.ts';
import type { Order } from '../db/orders.ts';
import { markEventHandled, type PaymentEvent } from '../db/payment-events.ts';
import { crashPoint } from '../infra/crash-point.ts';
import { PermanentFailure, RetryLater } from '../infra/retry.ts';
import type { JobRun, OrderParts } from './parts.ts';
import { receiveReportIn } from './receive-report.ts';

/** The buyer's browser captures right after the approval; the worker gives it this much time. */
const BROWSER_CAPTURE_MS = 3_000;

/**
 * Whether an approved payment should be captured. Not after a decline, which the buyer has seen: PayPal may still show the
 * approval that was declined. Then only the buyer's own call captures.
 */
export function isToCapture(order: Order, report: PaymentReport): boolean {
  const isDeclined = declinesOf(order.facts, report.paymentId) > 0;
  return report.stage === 'approved' && isUnsettled(order.status) && !isDeclined;
}

/**
 * Captures an approved payment that the browser did not capture; the answer goes to the inbox.
 * @throws RetryLater while PayPal is undecided
 */
export async function captureApproved(
  parts: OrderParts,
  order: Order,
  event: PaymentEvent,
  report: PaymentReport,
  run: JobRun,
): Promise<void> {
  const capture = parts.gateways[event.provider].capturePayment;
  const now = await databaseTime(parts.db);
  const isRecent = event.source === 'webhook' && now - event.receivedAt.getTime() < BROWSER_CAPTURE_MS;
  if (isRecent) return run.postpone(BROWSER_CAPTURE_MS);
  if (!capture || !report.paymentId) throw new PermanentFailure('an approval without a payment to capture');
  crashPoint('before-worker-capture');
  const captured = await capture(report.paymentId, order, now);
  crashPoint('after-worker-capture');
  const isUndecided = captured.facts.length === 0;
  if (isUndecided && captured.stage === 'approved') {
    throw new RetryLater(`capture of ${report.paymentId} is undecided`, 5_000);
  }
  await run.complete(async (trx) => {
    const origin = { source: 'capture call', provider: event.provider } as const;
    if (!isUndecided) await receiveReportIn(trx, order, captured, origin);
    await markEventHandled(trx, event.id, { status: 'processed', orderId: order.id });
  });
}

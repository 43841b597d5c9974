import { unsettledStatuses } from '../core/order-lifecycle.ts';
import { databaseTime } from '../db/database.ts';
import type { Order } from '../db/orders.ts';
import { gatewayOf, type PaymentReport } from '../providers/gateway.ts';
import type { WorkerParts } from '../worker/parts.ts';

/**
 * Takes money that the buyer has approved and whose capture their browser did not come to ask for (reliability.md
 * F34); returns what is known afterwards. Of an order that is over, or that is paid another way by now, nothing is taken.
 */
export async function captureApproved(
  parts: WorkerParts,
  order: Order,
  report: PaymentReport,
): Promise<PaymentReport> {
  const gateway = gatewayOf(parts.gateways, order.paymentMethod);
  const wanted =
    report.stage === 'approved' &&
    report.paymentIntentId === order.paymentIntentId &&
    (unsettledStatuses as readonly string[]).includes(order.status);
  if (!wanted || !gateway.capture) return report;
  return gateway.capture(report.paymentIntentId, order, await databaseTime(parts.db));
}

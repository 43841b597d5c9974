import type { JobPayload } from '../core/jobs.ts';
import { isUnsettled } from '../core/order-lifecycle.ts';
import { isIdle, type PaymentReport } from '../core/payment-reports.ts';
import { expiryMs } from '../core/reconciliation.ts';
import { databaseTime } from '../db/database.ts';
import { findOrder, type Order } from '../db/orders.ts';
import { isFormerPaymentOpen } from '../db/reconciliation.ts';
import { crashPoint } from '../infra/crash-point.ts';
import { isToCapture } from './capture-payment.ts';
import type { JobRun, OrderParts } from './parts.ts';
import { providerOfCapture } from './provider-of.ts';
import { ownReport, receiveReportIn } from './receive-report.ts';

/**
 * Asks the provider about an order whose event may have been lost, and puts the answers into the inbox. An order that is
 * unpaid after 24 h is canceled, at the provider first, unless one of its payments is in progress: a bank may take days.
 */
export async function reconcileOrder(
  parts: OrderParts,
  { orderId }: JobPayload<'reconcile-order'>,
  run: JobRun,
): Promise<void> {
  const order = await findOrder(parts.db, orderId);
  if (!order) return run.complete();
  const now = await databaseTime(parts.db);
  const isDue = isUnsettled(order.status) && now - order.createdAt.getTime() >= expiryMs;
  const isExpired = isDue && !(await isFormerPaymentOpen(parts.db, orderId));
  const report = await askAbout(parts, order, now, isExpired);
  const others = await askAboutOthers(parts, order, now);
  crashPoint('after-check');
  await run.complete(async (trx) => {
    const source = isExpired ? ('expiry' as const) : ('reconciliation' as const);
    if (report) await receiveReportIn(trx, order, report, { source });
    for (const other of others)
      await receiveReportIn(trx, order, other.report, { source, provider: other.provider });
  });
}

/** Second payments: their refunds may fail and their disputes change, like those of the first. */
function askAboutOthers(parts: OrderParts, order: Order, now: number) {
  const others = Object.keys(order.facts.captures).filter((id) => id !== order.paymentIntentId);
  return Promise.all(
    others.map(async (id) => {
      const provider = providerOfCapture(order, id);
      return { provider, report: await parts.gateways[provider].report(id, now, { withDisputes: true }) };
    }),
  );
}

async function askAbout(
  parts: OrderParts,
  order: Order,
  now: number,
  isExpired: boolean,
): Promise<PaymentReport | undefined> {
  const gateway = parts.gateways[order.paymentMethod];
  const paymentId = order.paymentIntentId ?? (await gateway.findPaymentOf(order));
  const expiry = { kind: 'attempt', status: 'canceled', reason: 'expired', observedAt: now } as const;
  if (!paymentId) return isExpired ? ownReport(order, expiry) : undefined;
  const report = await gateway.report(paymentId, now, { withDisputes: true });
  if (!isExpired || !isAbandoned(order, report)) return report;
  // One that has failed for good, or whose approval was declined, leaves nothing to cancel at the provider.
  return report.stage === 'open'
    ? gateway.cancelPayment(paymentId, now)
    : { ...report, facts: [...report.facts, expiry] };
}

/** Neither paid, nor about to be captured, nor being processed by a bank. */
function isAbandoned(order: Order, report: PaymentReport): boolean {
  return isIdle(report) && !isToCapture(order, report);
}

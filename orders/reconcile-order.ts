import type { JobPayload } from '../core/jobs.ts';
import { unsettledStatuses } from '../core/order-lifecycle.ts';
import type { PaymentFact } from '../core/payment-facts.ts';
import { expiryMs } from '../core/reconciliation.ts';
import { databaseTime } from '../db/database.ts';
import { findOrder, type Order } from '../db/orders.ts';
import { settleOrder } from '../db/settlement.ts';
import { gatewayOf } from '../providers/gateway.ts';
import type { WorkerParts } from '../worker/parts.ts';
import type { JobRun } from '../worker/run-job.ts';
import { captureApproved } from './capture-approved.ts';

/**
 * Asks the provider about an unsettled order and feeds the answer through the same rule as a webhook (design §6).
 * An order of 24 h is canceled, at the provider first; if the money came at the last moment, the answer says so.
 */
export async function reconcileOrder(
  parts: WorkerParts,
  { orderId }: JobPayload<'reconcile-order'>,
  run: JobRun,
): Promise<void> {
  const order = await findOrder(parts.db, orderId);
  if (!order || !(unsettledStatuses as readonly string[]).includes(order.status)) return run.complete();

  const now = await databaseTime(parts.db);
  const expired = now - order.createdAt.getTime() >= expiryMs;
  const { paymentIntentId, facts } = await ask(parts, order, now, expired);

  await run.complete(async (trx) => {
    const by = expired ? ('expiry' as const) : ('reconciliation' as const);
    await settleOrder(trx, order.id, facts, {
      by,
      paymentIntentId: paymentIntentId ?? undefined,
      requestId: run.requestId,
    });
  });
}

async function ask(
  parts: WorkerParts,
  order: Order,
  now: number,
  expired: boolean,
): Promise<{ paymentIntentId: string | null; facts: PaymentFact[] }> {
  const gateway = gatewayOf(parts.gateways, order.paymentMethod);
  const paymentIntentId = order.paymentIntentId ?? (await gateway.findPaymentOf(order));
  if (paymentIntentId) {
    if (expired) return gateway.expire(paymentIntentId, now);
    return captureApproved(parts, order, await gateway.report(paymentIntentId, now));
  }
  return {
    paymentIntentId: null,
    facts: expired ? [{ kind: 'attempt', status: 'canceled', reason: 'expired', observedAt: now }] : [],
  };
}

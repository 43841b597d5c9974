import { Conflict } from '../api/http/errors.ts';
import type { ApiParts } from '../api/parts.ts';
import type { PaymentMethod } from '../core/orders.ts';
import { databaseTime } from '../db/database.ts';
import { type Order, replacePayment } from '../db/orders.ts';
import { settleOrder } from '../db/settlement.ts';
import { isOutage } from '../infra/outage.ts';
import { gatewayOf, type PaymentReport } from '../providers/gateway.ts';

/**
 * The buyer pays this order another way: the payment begun before is ended at its provider first, so that the order
 * is not paid twice (reliability.md F35). If it was paid meanwhile, the order says so. The order gives the payment up
 * before the provider hears of it: the provider's word that it is canceled must not cancel the order.
 * @throws Conflict (409) when the order is paid, being paid or over
 */
export async function switchPayment(
  parts: ApiParts,
  order: Order,
  method: PaymentMethod,
  requestId: string,
): Promise<Order> {
  requirePayable(order);
  const before = await askFormer(parts, order, 'report');
  await requireUnpaid(parts, order, before, requestId);
  const replaced = await replacePayment(parts.db, order, method);
  if (!replaced) throw switchedMeanwhile();
  await requireUnpaid(parts, order, await askFormer(parts, order, 'expire'), requestId);
  parts.logger.info({ orderId: order.id, from: order.paymentMethod, to: method }, 'payment replaced');
  return replaced;
}

async function requireUnpaid(
  parts: ApiParts,
  order: Order,
  former: PaymentReport | undefined,
  requestId: string,
): Promise<void> {
  const money = former?.facts.filter((fact) => fact.kind === 'captured') ?? [];
  if (money.length > 0) {
    await parts.outbox.transaction(requestId, (trx) =>
      settleOrder(trx, order.id, money, { by: 'confirm call', requestId }),
    );
    throw alreadyPaid();
  }
  if (former?.facts.some((fact) => fact.kind === 'attempt' && fact.status === 'processing'))
    throw beingPaid();
}

/** @throws Conflict (409) with the reason why the buyer cannot pay this order (any more) */
export function requirePayable({ status }: Pick<Order, 'status'>): void {
  if (status === 'pending' || status === 'failed') return;
  if (status === 'processing') throw beingPaid();
  if (status === 'canceled') throw new Conflict('This order has expired. Please start a new one.');
  throw alreadyPaid();
}

async function askFormer(
  parts: ApiParts,
  order: Order,
  question: 'report' | 'expire',
): Promise<PaymentReport | undefined> {
  if (!order.paymentIntentId) return undefined;
  const gateway = gatewayOf({ stripe: parts.stripe, paypal: parts.paypal }, order.paymentMethod);
  try {
    return await gateway[question](order.paymentIntentId, await databaseTime(parts.db));
  } catch (error) {
    // Whoever turns to the other provider because this one is down must be able to pay. Should this one be paid
    // all the same, the second payment is refunded (order-lifecycle.ts).
    if (!isOutage(error)) throw error;
    parts.logger.warn(
      { err: error, orderId: order.id },
      'the former payment could not be asked about or ended',
    );
    return undefined;
  }
}

function alreadyPaid(): Conflict {
  return new Conflict('This order is already paid. Its status page has the details.');
}

function beingPaid(): Conflict {
  return new Conflict('This order is being paid at this moment. Please wait for the outcome.');
}

/** 409: another request changed how the order is paid while this one was under way. */
export function switchedMeanwhile(): Conflict {
  return new Conflict('This order has just changed. Please try again.');
}

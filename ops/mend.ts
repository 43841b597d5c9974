import { compare, type Difference } from '../core/differences.ts';
import type { PaymentFact } from '../core/payment-facts.ts';
import { databaseTime } from '../db/database.ts';
import type { Order } from '../db/orders.ts';
import { settleOrder } from '../db/settlement.ts';
import { gatewayOf, type PaymentReport } from '../infra/payment-gateway.ts';
import { commit, type OpsParts } from './parts.ts';

/** What the provider says of an order now, beside what we say. */
export interface Comparison {
  /** Undefined if the provider knows no payment of this order. */
  report: PaymentReport | undefined;
  difference: Difference | undefined;
}

/** Asks the order's provider; changes nothing. @throws the provider's error: then nothing is known */
export async function compareWithProvider(parts: OpsParts, order: Order): Promise<Comparison> {
  const gateway = gatewayOf(parts.gateways, order.paymentMethod);
  const paymentIntentId = order.paymentIntentId ?? (await gateway.findPaymentOf(order));
  if (!paymentIntentId) return { report: undefined, difference: undefined };
  const report = await gateway.report(paymentIntentId, await databaseTime(parts.db));
  return { report, difference: differenceOf(order, report) };
}

function differenceOf(order: Order, { metadata, facts, paymentIntentId }: PaymentReport) {
  const difference = compare(order, facts);
  if (metadata.orderId === undefined || metadata.orderId === order.id) return difference;
  const what = `${paymentIntentId} says that it belongs to order ${metadata.orderId}`;
  const ours = { status: order.status, amountRefunded: order.amountRefunded };
  return { ...(difference ?? { ours, theirs: ours }), what, safe: false };
}

/** Lets the one function that moves orders learn these facts, in the operator's name. Returns the new status. */
export async function settleByOperator(
  parts: OpsParts,
  orderId: string,
  facts: readonly PaymentFact[],
  paymentIntentId?: string,
): Promise<string> {
  return commit(parts.db, async (trx, requestId) => {
    const settled = await settleOrder(trx, orderId, facts, { by: 'operator', paymentIntentId, requestId });
    if (!settled) throw new Error(`There is no order ${orderId}`);
    return settled.status;
  });
}

import { compare, type Difference } from '../core/differences.ts';
import type { PaymentMethod } from '../core/orders.ts';
import type { PaymentFact } from '../core/payment-facts.ts';
import { databaseTime } from '../db/database.ts';
import type { Order } from '../db/orders.ts';
import { settleOrder } from '../db/settlement.ts';
import { gatewayOf, type PaymentReport } from '../infra/payment-gateway.ts';
import { commit, type OpsParts } from './parts.ts';

/** What the providers say of an order now, beside what we say. */
export interface Comparison {
  /** Undefined if no provider knows a payment of this order. */
  paymentIntentId: string | undefined;
  facts: PaymentFact[];
  difference: Difference | undefined;
}

/** Asks the order's provider; changes nothing. @throws the provider's error: then nothing is known */
export async function compareWithProvider(parts: OpsParts, order: Order): Promise<Comparison> {
  const now = await databaseTime(parts.db);
  const gateway = gatewayOf(parts.gateways, order.paymentMethod);
  const paymentIntentId = order.paymentIntentId ?? (await gateway.findPaymentOf(order));
  const current = paymentIntentId ? [await gateway.report(paymentIntentId, now)] : [];
  const former = await Promise.all(
    order.formerPaymentIds.map((id) => gatewayOf(parts.gateways, providerOf(id)).report(id, now)),
  );
  const facts = [
    ...current.flatMap((report) => factsFor(order, report)),
    ...former.flatMap((report) => moneyOf(factsFor(order, report))),
  ];
  return { paymentIntentId, facts, difference: compare(order, facts) };
}

function providerOf(paymentIntentId: string): PaymentMethod {
  return paymentIntentId.startsWith('pi_') ? 'stripe' : 'paypal';
}

/** Money whose payment names another order, or none, is kept apart: it puts the order in review. */
function factsFor(order: Order, { metadata, facts }: PaymentReport): PaymentFact[] {
  if (metadata.orderId === order.id) return facts;
  return facts.map((fact) => (fact.kind === 'captured' ? { ...fact, forAnotherOrder: true } : fact));
}

/** What came of a payment that was given up for another: attempts no longer count, money does. */
function moneyOf(facts: PaymentFact[]): PaymentFact[] {
  return facts.filter((fact) => fact.kind !== 'attempt');
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

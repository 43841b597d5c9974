import { compare } from '../core/differences.ts';
import { unsettledStatuses } from '../core/order-lifecycle.ts';
import type { PaymentMethod } from '../core/orders.ts';
import { factsFor, type PaymentFact, withoutAttempts } from '../core/payment-facts.ts';
import { databaseTime } from '../db/database.ts';
import type { Order } from '../db/orders.ts';
import { checkSoon } from '../db/reconciliation.ts';
import { settleOrder } from '../db/settlement.ts';
import { commit, type OpsParts } from '../ops/parts.ts';
import { gatewayOf } from '../providers/gateway.ts';

/** What ends a difference without doing harm: learning the provider's facts, or taking what the buyer has approved. */
export type Mend = { by: 'settling'; facts: PaymentFact[] } | { by: 'capturing' };

/** What the provider says of an order now, beside what we say. */
export interface Comparison {
  /** Undefined if the provider knows no payment of this order. */
  paymentIntentId: string | undefined;
  /** Undefined if both agree; without `mend` only people can judge it. */
  difference: { what: string; mend: Mend | undefined } | undefined;
}

/** Asks the order's provider; changes nothing. @throws the provider's error: then nothing is known */
export async function compareWithProvider(parts: OpsParts, order: Order): Promise<Comparison> {
  const now = await databaseTime(parts.db);
  const gateway = gatewayOf(parts.gateways, order.paymentMethod);
  const paymentIntentId = order.paymentIntentId ?? (await gateway.findPaymentOf(order));
  const current = paymentIntentId ? await gateway.report(paymentIntentId, now) : undefined;
  if (current?.stage === 'approved' && (unsettledStatuses as readonly string[]).includes(order.status)) {
    const what = 'approved there by the buyer, not taken yet';
    return { paymentIntentId, difference: { what, mend: { by: 'capturing' } } };
  }
  const former = await Promise.all(
    order.formerPaymentIds.map((id) => gatewayOf(parts.gateways, providerOf(id)).report(id, now)),
  );
  const facts = [
    ...(current ? factsFor(order.id, current) : []),
    ...former.flatMap((report) => withoutAttempts(factsFor(order.id, report))),
  ];
  const found = compare(order, facts);
  const mend: Mend | undefined = found?.safe ? { by: 'settling', facts } : undefined;
  return { paymentIntentId, difference: found && { what: found.what, mend } };
}

function providerOf(paymentIntentId: string): PaymentMethod {
  return paymentIntentId.startsWith('pi_') ? 'stripe' : 'paypal';
}

/** Ends a difference. Returns the order's status, or undefined where a worker will move it. */
export async function applyMend(
  parts: OpsParts,
  orderId: string,
  mend: Mend,
  paymentIntentId: string | undefined,
): Promise<string | undefined> {
  if (mend.by === 'settling') return settleByOperator(parts, orderId, mend.facts, paymentIntentId);
  await checkSoon(parts.db, orderId);
  return undefined;
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

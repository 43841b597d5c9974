import { paymentMethods } from '../core/orders.ts';
import { findOrder, type Order } from '../db/orders.ts';
import { listOrderIds } from '../db/reconciliation.ts';
import type { OpsParts } from '../ops/parts.ts';
import type { ListedPayment } from '../providers/gateway.ts';
import { compareWithProvider, type Mend } from './compare-with-provider.ts';

/** Something that we and a provider see differently, or could not compare. */
export interface Finding {
  orderId: string | null;
  paymentIntentId: string | null;
  what: string;
  /** What ends the difference, if that is safe. */
  mend: Mend | undefined;
}

/** Asked at a time: providers limit their callers. */
const AT_ONCE = 5;
const PAGE = 200;

/** Every difference in the orders made since then: first ours as the provider sees them, then the provider's own list. */
export async function* findDifferences(parts: OpsParts, since: Date): AsyncGenerator<Finding> {
  for await (const ids of orderIds(parts, since)) {
    for (let start = 0; start < ids.length; start += AT_ONCE) {
      const group = ids.slice(start, start + AT_ONCE).map((id) => compareOrder(parts, id));
      for (const finding of await Promise.all(group)) if (finding) yield finding;
    }
  }
  for (const method of paymentMethods) {
    for await (const payment of parts.gateways[method]?.paymentsSince?.(since) ?? []) {
      const finding = await compareListed(parts, payment);
      if (finding) yield finding;
    }
  }
}

async function* orderIds({ db }: OpsParts, since: Date): AsyncGenerator<string[]> {
  for (let after: string | null = null; ; ) {
    const ids: string[] = await listOrderIds(db, { since, after, limit: PAGE });
    if (ids.length > 0) yield ids;
    after = ids.at(-1) ?? null;
    if (after === null) return;
  }
}

async function compareOrder(parts: OpsParts, id: string): Promise<Finding | undefined> {
  const order = await findOrder(parts.db, id);
  // An order without a payment is found by the provider's own list, should there be money all the same.
  if (!order?.paymentIntentId && !order?.formerPaymentIds.length) return undefined;
  const where = { orderId: id, paymentIntentId: order.paymentIntentId };
  try {
    const { difference } = await compareTwice(parts, order);
    return difference && { ...where, ...difference };
  } catch (error) {
    return {
      ...where,
      what: `${order.paymentMethod} could not be asked: ${(error as Error).message}`,
      mend: undefined,
    };
  }
}

/** A webhook may arrive between our look at the order and the provider's answer: a difference has to last. */
async function compareTwice(parts: OpsParts, order: Order) {
  const first = await compareWithProvider(parts, order);
  if (!first.difference) return first;
  return compareWithProvider(parts, (await findOrder(parts.db, order.id)) ?? order);
}

async function compareListed(parts: OpsParts, payment: ListedPayment): Promise<Finding | undefined> {
  const { paymentIntentId, metadata } = payment;
  if (metadata.app !== 'querywright' || metadata.deployment !== parts.config.deployment) return undefined;
  const orderId = metadata.orderId ?? null;
  const order = orderId ? await findOrder(parts.db, orderId) : undefined;
  if (!order) return { orderId, paymentIntentId, what: 'paid there, no such order here', mend: undefined };
  if (order.paymentIntentId === paymentIntentId || order.formerPaymentIds.includes(paymentIntentId))
    return undefined;
  if (order.paymentIntentId) {
    return {
      orderId,
      paymentIntentId,
      what: 'paid by a payment that the order does not know',
      mend: undefined,
    };
  }
  const { difference } = await compareWithProvider(parts, order);
  return difference && { orderId, paymentIntentId, ...difference };
}

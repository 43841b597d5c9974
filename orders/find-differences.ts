import { paymentMethods } from '../core/orders.ts';
import { OUR_APP } from '../core/payment-reports.ts';
import { isUuid } from '../core/text.ts';
import { findOrder, type Order, paymentIdsOf } from '../db/orders.ts';
import { listOrderPositions, type OrderPosition } from '../db/reconciliation.ts';
import type { ListedPayment } from '../providers/gateway.ts';
import { compareWithProvider, type Repair } from './compare-with-provider.ts';
import type { OrderParts } from './parts.ts';

type CompareParts = Pick<OrderParts, 'db' | 'gateways' | 'config'>;

/** A difference between us and a provider, or an order that could not be compared. */
export interface Finding {
  kind: 'different' | 'not asked' | 'order missing' | 'unknown payment';
  orderId: string | null;
  paymentId: string | null;
  what: string;
  /** Reports that resolve the difference once they are applied; empty if a person has to decide. */
  repairs: Repair[];
}

/** Orders compared at once; providers limit the rate of calls. */
const CONCURRENCY = 5;
const PAGE = 200;

/** Every difference in the orders made since then: first ours as the provider sees them, then the provider's own list. */
export async function* findDifferences(parts: CompareParts, since: Date): AsyncGenerator<Finding> {
  for await (const ids of orderIds(parts, since)) {
    for (let start = 0; start < ids.length; start += CONCURRENCY) {
      const group = ids.slice(start, start + CONCURRENCY).map((id) => compareOrder(parts, id));
      for (const finding of await Promise.all(group)) if (finding) yield finding;
    }
  }
  for (const method of paymentMethods) {
    for await (const payment of parts.gateways[method].paymentsSince?.(since) ?? []) {
      const finding = await compareListed(parts, payment);
      if (finding) yield finding;
    }
  }
}

async function* orderIds({ db }: CompareParts, since: Date): AsyncGenerator<string[]> {
  for (let after: OrderPosition | null = null; ; ) {
    const page: OrderPosition[] = await listOrderPositions(db, { since, after, limit: PAGE });
    if (page.length > 0) yield page.map(({ id }) => id);
    after = page.at(-1) ?? null;
    if (after === null) return;
  }
}

async function compareOrder(parts: CompareParts, id: string): Promise<Finding | undefined> {
  const order = await findOrder(parts.db, id);
  // If such an order was paid after all, the provider's list shows it.
  if (!order || paymentIdsOf(order).length === 0) return undefined;
  return findDifference(parts, order, { orderId: id, paymentId: order.paymentIntentId });
}

async function findDifference(
  parts: CompareParts,
  order: Order,
  where: Pick<Finding, 'orderId' | 'paymentId'>,
  listed?: string,
): Promise<Finding | undefined> {
  try {
    const { difference } = await compareTwice(parts, order, listed);
    return difference && { kind: 'different', ...where, ...difference };
  } catch (error) {
    const what = `${order.paymentMethod} could not be asked: ${(error as Error).message}`;
    return { kind: 'not asked', ...where, what, repairs: [] };
  }
}

/** A webhook may arrive between reading the order and the provider's answer, so a difference has to last. */
async function compareTwice(parts: CompareParts, order: Order, listed?: string) {
  const first = await compareWithProvider(parts, order, listed);
  if (!first.difference) return first;
  return compareWithProvider(parts, (await findOrder(parts.db, order.id)) ?? order, listed);
}

async function compareListed(parts: CompareParts, payment: ListedPayment): Promise<Finding | undefined> {
  const { paymentId, metadata } = payment;
  if (metadata.app !== OUR_APP || metadata.deployment !== parts.config.deployment) return undefined;
  const orderId = metadata.orderId ?? null;
  if (!orderId || !isUuid(orderId)) {
    return {
      kind: 'unknown payment',
      orderId: null,
      paymentId,
      what: 'paid, but names no order',
      repairs: [],
    };
  }
  const order = await findOrder(parts.db, orderId);
  if (!order) {
    const what = 'paid at provider, order missing here';
    return { kind: 'order missing', orderId, paymentId, what, repairs: [] };
  }
  if (paymentIdsOf(order).includes(paymentId)) return undefined;
  return findDifference(parts, order, { orderId, paymentId }, paymentId);
}

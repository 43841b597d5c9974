import { randomUUID } from 'node:crypto';
import { isCancelable, type OrderAction } from '../../core/desk-actions.ts';
import { refundableOf } from '../../core/refunds.ts';
import { findOrder } from '../../db/orders.ts';
import { actOnOrder } from '../../orders/desk-actions.ts';
import type { Shop } from '../shop.ts';
import type { Model } from './model.ts';
import { untilAtRest } from './rest.ts';
import type { World } from './world.ts';

const REST_MS = 30_000;
const olive = {
  ...{ userId: randomUUID(), name: 'olive@example.com', role: 'operator' as const },
  freshUntil: Number.POSITIVE_INFINITY,
};

/** Staff refund up to `cents` of a payment that the shop knows, and wait for the outcome. */
export async function refundAtDesk(model: Model, world: World, cents: number, number = 0): Promise<void> {
  const order = await orderAtRest(model, world);
  const payments = order ? refundableOf(order.facts, order.paymentMethod) : [];
  const chosen = payments[number % Math.max(1, payments.length)];
  // An event that the shop has missed may have returned the money already.
  if (!order || !chosen || model.mayMissEvents) return;
  const { paymentId, amount: left, onlyInFull } = chosen;
  const amount = onlyInFull ? left : Math.min(cents, left);
  await act(world.shop, order.id, { action: 'refund', paymentId, left, amount, ...asked() });
  model.deskRefunds.push({ paymentId, amount });
  await orderAtRest(model, world);
}

/** Staff cancel an order that is not paid. */
export async function cancelAtDesk(model: Model, world: World): Promise<void> {
  const order = await orderAtRest(model, world);
  if (!order || !isCancelable(order.status)) return;
  await act(world.shop, order.id, { action: 'cancel', seen: order.status, ...asked() });
  model.isCanceled = true;
  await orderAtRest(model, world);
}

async function orderAtRest({ orderId = '', payments }: Model, { shop }: World) {
  const ids = payments.map(({ id }) => id);
  const open = await untilAtRest(shop, orderId, ids, REST_MS);
  return open.length > 0 ? undefined : findOrder(shop.db, orderId);
}

function act({ api }: Shop, orderId: string, wanted: OrderAction): Promise<void> {
  return actOnOrder(api, olive, { orderId, requestId: randomUUID(), wanted });
}

function asked() {
  return { key: randomUUID(), reason: 'Agreed by phone' };
}

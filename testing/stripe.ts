import { expect } from 'vitest';
import { type PlacedOrder, pay, placeOrder, post, untilStatus } from './buyer.ts';
import type { Shop } from './shop.ts';

/** What happens at the buyer's bank or in Stripe's dashboard. */
export async function stripeControl<T>(shop: Shop, path: string, body: object = {}): Promise<T> {
  const answer = await post({ url: `${shop.sandbox.url}/stripe/sandbox` }, path, body);
  expect(answer.ok, await answer.clone().text()).toBe(true);
  return (await answer.json()) as T;
}

/** An order paid by card, with its charge. */
export async function buyByCard(shop: Shop): Promise<PlacedOrder & { charge: string }> {
  const order = await placeOrder(shop);
  const { latest_charge: charge = '' } = await pay(shop, order);
  await untilStatus(shop, order.orderId, 'paid');
  return { ...order, charge };
}

import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { type PlacedOrder, pay, placeOrder, untilStatus } from './buyer.ts';
import { jobsOf, setDue } from './inbox.ts';
import { approve, capture, placePaypalOrder } from './paypal.ts';
import type { Shop } from './shop.ts';
import { waitFor } from './wait-for.ts';

export interface PaidTwice {
  order: PlacedOrder;
  paypalOrderId: string;
  /** Of the second payment. */
  charge: string;
}

/** Paid by PayPal, then by the card payment that could not be canceled at the switch. `fault` hits its refund. */
export async function paidTwice(shop: Shop, fault?: Record<string, unknown>): Promise<PaidTwice> {
  const { order, paypalOrderId } = await switchedWhileStripeIsDown(shop);
  if (fault) shop.sandbox.faults.add({ target: 'stripe', match: '/refunds', ...fault });
  await approve(shop, { orderId: order.orderId, paypalOrderId });
  expect(await (await capture(shop, { paypalOrderId })).json()).toEqual({ status: 'COMPLETED' });
  await untilStatus(shop, order.orderId, 'paid');
  const { latest_charge: charge = '' } = await pay(shop, order);
  await waitFor('the second payment is known', async () => {
    return (await jobsOf(shop, order.orderId, 'refund-duplicate')).length === 1;
  });
  return { order, paypalOrderId, charge };
}

export async function switchedWhileStripeIsDown(shop: Shop) {
  const key = randomUUID();
  const order = await placeOrder(shop, {}, key);
  shop.sandbox.faults.add({ target: 'stripe', mode: 'error' });
  const { paypalOrderId } = await placePaypalOrder(shop, key);
  shop.sandbox.faults.clear();
  expect(await jobsOf(shop, order.orderId, 'cancel-payment')).toMatchObject([{ status: 'open' }]);
  await setDue(shop, order.orderId, 'cancel-payment', '1 hour');
  return { key, order, paypalOrderId };
}

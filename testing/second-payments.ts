import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { type PlacedOrder, pay, placeOrder, untilStatus } from './buyer.ts';
import { jobsOf, lastAttempt, setDue } from './inbox.ts';
import { runOps } from './operator.ts';
import { approve, capture, captureOf, paypalControl, placePaypalOrder } from './paypal.ts';
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

/** Paid twice; the second payment's automatic refund was refused, and staff have discarded its job. */
export async function withoutDuplicateRefund(shop: Shop): Promise<PaidTwice> {
  const paid = await paidTwice(shop, { mode: 'error', code: 400 });
  await lastAttempt(shop, paid.order.orderId, 'refund-duplicate');
  await waitFor('the job is dead', () => isDead(shop, paid));
  shop.sandbox.faults.clear();
  await discardRefund(shop, paid);
  return paid;
}

export async function refundFirst(
  shop: Shop,
  { order: { orderId }, paypalOrderId }: PaidTwice,
): Promise<string> {
  const first = captureOf(shop, { orderId, paypalOrderId });
  return (await paypalControl<{ id: string }>(shop, `/captures/${first}/refund`)).id;
}

export async function isDead(shop: Shop, { order }: PaidTwice): Promise<boolean> {
  return (await jobsOf(shop, order.orderId, 'refund-duplicate'))[0]?.status === 'dead';
}

export async function discardRefund(shop: Shop, { order: { orderId } }: PaidTwice): Promise<void> {
  const dead = shop.db('outbox').where({ job: 'refund-duplicate', status: 'dead' });
  const [id] = await dead.whereRaw(`payload->>'orderId' = ?`, [orderId]).pluck('id');
  const { code, err } = await runOps(shop, ['jobs', 'discard', id, '--reason', 'Kept', '--yes']);
  expect(code, err).toBe(0);
}

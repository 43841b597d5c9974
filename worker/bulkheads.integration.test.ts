import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { OrderStatus, PaymentMethod } from '../core/orders.ts';
import { receiveEvent } from '../db/receive-event.ts';
import { pay, placeOrder, untilStatus } from '../testing/buyer.ts';
import { approve, captureOf, deliverPaypal, paypalEvent, placePaypalOrder } from '../testing/paypal.ts';
import { type Shop, startShop } from '../testing/shop.ts';
import { deliver, event, succeededEvent } from '../testing/stripe-events.ts';
import { waitFor } from '../testing/wait-for.ts';

let shop: Shop;
beforeEach(async () => {
  shop = await startShop();
  // Webhooks are delivered by the tests.
  shop.sandbox.faults.add({ target: 'webhooks', mode: 'drop' });
});
afterEach(async () => {
  shop.sandbox.faults.clear();
  await shop.close();
});

describe('while PayPal hangs with 200 jobs waiting for it', () => {
  test('orders settle at once: by card, and by PayPal if no call is needed', async () => {
    const [paid, declined] = [await placeOrder(shop), await placeOrder(shop)];
    await pay(shop, declined, 'pm_card_chargeDeclined');
    const purchase = await placePaypalOrder(shop);
    await approve(shop, purchase);
    const captured = await capturedEvent(purchase);
    await hang('paypal');

    await deliver(shop, succeededEvent(paid));
    await deliver(shop, event('payment_intent.payment_failed', { id: declined.paymentIntentId }));
    await overtakes(paid.orderId, 'paid');
    await overtakes(declined.orderId, 'failed');
    expect((await deliverPaypal(shop, captured)).status).toBe(200);
    await overtakes(purchase.orderId, 'paid');
  });

  test('its jobs are postponed without a failure, and done soon after it recovers', async () => {
    await hang('paypal');
    await waitFor('all but the calls under way are postponed', async () => {
      const rows = await waiting().where('due_at', '<', shop.db.raw(`now() + interval '8 seconds'`));
      return rows.length > 150;
    });
    expect(await waiting().where('attempts', '>', 0)).toEqual([]);

    shop.sandbox.faults.clear();
    await waitFor('all are done', async () => (await waiting()).length === 0, { timeoutMs: 60_000 });
  });
});

test('while Stripe hangs with 200 jobs waiting for it, orders paid with PayPal settle at once', async () => {
  const purchase = await placePaypalOrder(shop);
  await approve(shop, purchase);
  const captured = await capturedEvent(purchase);
  await hang('stripe');

  expect((await deliverPaypal(shop, captured)).status).toBe(200);
  await overtakes(purchase.orderId, 'paid');
});

function waiting() {
  return shop.db('outbox').where({ status: 'open', job: 'apply-payment-event' });
}

/** The order gets there before the jobs that were there first: a run of theirs would have failed. */
async function overtakes(orderId: string, status: OrderStatus): Promise<void> {
  await untilStatus(shop, orderId, status);
  expect((await waiting().where({ attempts: 0 })).length).toBeGreaterThan(150);
}

/** Events that name a payment to ask about. */
const askingEvents: Record<PaymentMethod, () => { type: string; payload: string }> = {
  stripe: () => {
    const type = 'payment_intent.canceled';
    return { type, payload: JSON.stringify(event(type, { id: `pi_${randomUUID()}` })) };
  },
  paypal: () => {
    const type = 'CHECKOUT.ORDER.APPROVED';
    return { type, payload: JSON.stringify(paypalEvent(type, { id: randomUUID() })) };
  },
};

/** Starts the worker on 200 events that the provider has to be asked about and does not answer for 10 s. */
async function hang(provider: PaymentMethod): Promise<void> {
  shop.sandbox.faults.add({ target: provider, mode: 'slow', ms: 10_000 });
  const received = Array.from({ length: 200 }, () =>
    receiveEvent(shop, {
      provider,
      ...askingEvents[provider](),
      eventId: randomUUID(),
      source: 'webhook',
      requestId: randomUUID(),
    }),
  );
  await Promise.all(received);
  shop.startWorker();
  await waitFor('the provider is being asked', () =>
    shop.sandbox.faults.list().some(({ target, matched }) => target === provider && matched > 0),
  );
}

/** Captures as the worker of another process would, and returns PayPal's event. */
async function capturedEvent(purchase: { orderId: string; paypalOrderId: string }) {
  await shop.workerParts.gateways.paypal.capturePayment?.(
    purchase.paypalOrderId,
    { id: purchase.orderId, facts: { captures: {} } as never },
    Date.now(),
  );
  const capture = shop.sandbox.paypal.context.state.captures.get(captureOf(shop, purchase));
  return paypalEvent('PAYMENT.CAPTURE.COMPLETED', { ...capture });
}

import { describe, expect, test } from 'vitest';
import { pay, placeOrder, untilStatus } from '../testing/buyer.ts';
import { runOps } from '../testing/operator.ts';
import { listOrderHistory } from '../testing/order-history.ts';
import { approve, placePaypalOrder } from '../testing/paypal.ts';
import { withShop } from '../testing/shop.ts';

const shop = await withShop({ worker: true });

describe('ops events backfill', () => {
  const fromStripe = ['events', 'backfill', '--provider', 'stripe', '--since', '1h', '--yes', '--json'];

  test('fetches what was never delivered, once', async () => {
    shop.sandbox.faults.add({ target: 'webhooks', mode: 'drop' });
    const order = await placeOrder(shop);
    await pay(shop, order);
    expect(await runOps(shop, ['events', 'backfill', '--since', '1h'])).toMatchObject({ code: 1 });

    const first = await runOps(shop, fromStripe);
    expect(JSON.parse(first.out)[0].added).toBeGreaterThanOrEqual(1);
    await untilStatus(shop, order.orderId, 'paid');
    expect((await listOrderHistory(shop.db, order.orderId)).at(-1)).toMatchObject({ cause: 'backfill' });

    const second = await runOps(shop, fromStripe);
    expect(JSON.parse(second.out)[0].added).toBe(0);
  }, 60_000);

  test('fetches from every provider when none is named', async () => {
    shop.sandbox.faults.add({ target: 'webhooks', mode: 'drop' });
    const approved = await placePaypalOrder(shop);
    await approve(shop, approved);
    const { out } = await runOps(shop, ['events', 'backfill', '--since', '1h', '--yes', '--json']);
    const counts: { provider: string; seen: number; added: number }[] = JSON.parse(out);
    expect(counts.map(({ provider }) => provider)).toEqual(['stripe', 'paypal']);
    expect(counts[1]?.added).toBeGreaterThanOrEqual(1);
    await untilStatus(shop, approved.orderId, 'paid');
  }, 60_000);

  test('follows the provider’s pages to the end', async () => {
    shop.sandbox.faults.add({ target: 'webhooks', mode: 'drop' });
    const { paymentIntents } = shop.sandbox.stripeClient;
    for (let count = 0; count < 120; count++) {
      const { id } = await paymentIntents.create({
        amount: 100,
        currency: 'usd',
        metadata: { app: 'another' },
      });
      await paymentIntents.cancel(id);
    }
    const { out } = await runOps(shop, fromStripe);
    expect(JSON.parse(out)[0].seen).toBeGreaterThanOrEqual(120);
  }, 60_000);

  test('says where to continue when the provider’s list does not end', async () => {
    shop.sandbox.behaviors.add({ name: 'stripe-endless-events' });
    const { code, out, err } = await runOps(shop, fromStripe);
    expect(code).toBe(1);
    expect(JSON.parse(out)[0].seen).toBeGreaterThan(0);
    expect(err).toMatch(
      /stripe not finished \(.*repeats a page\); continue with --since \S+ --provider stripe/,
    );
  });
});

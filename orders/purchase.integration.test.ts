import { describe, expect, test } from 'vitest';
import { mailsAbout, pay, placeOrder, post, readOrder, untilStatus } from '../testing/buyer.ts';
import { listOrderHistory } from '../testing/order-history.ts';
import { withShop } from '../testing/shop.ts';
import { waitFor } from '../testing/wait-for.ts';

const shop = await withShop({ worker: true });

describe('a guest buys by card', () => {
  test('the webhook makes the order paid; buyer and staff get one mail each', async () => {
    const order = await placeOrder(shop);
    expect((await readOrder(shop, order.orderId)).status).toBe('pending');

    expect((await pay(shop, order)).status).toBe('succeeded');

    const paid = await untilStatus(shop, order.orderId, 'paid');
    expect(paid).toMatchObject({
      amount: 299_900,
      currency: 'USD',
      paymentMethod: 'stripe',
      failureReason: null,
    });
    expect(paid.paidAt).not.toBeNull();
    const mails = await waitFor('two mails', async () => {
      const found = await mailsAbout(shop, order.orderId);
      return found.length >= 2 && found;
    });
    expect(mails.map((mail) => mail.to.join()).sort()).toEqual(['ada@example.com', shop.config.mail.staff]);
    for (const mail of mails) expect(mail.html).toContain(order.orderId);
    expect(await listOrderHistory(shop.db, order.orderId)).toMatchObject([
      { from: null, to: 'pending', cause: 'order created' },
      { from: 'pending', to: 'paid', cause: 'webhook' },
    ]);
  });

  test('a declined card leaves the order payable with the provider’s reason, and the next card pays it', async () => {
    const order = await placeOrder(shop);
    expect((await pay(shop, order, 'pm_card_chargeDeclined')).error?.message).toBe('Your card was declined.');
    expect((await untilStatus(shop, order.orderId, 'failed')).failureReason).toBe('Your card was declined.');

    await pay(shop, order);

    expect((await untilStatus(shop, order.orderId, 'paid')).failureReason).toBeNull();
  });

  test('a second decline for another reason is sent to the page, although the order stays failed', async () => {
    const order = await placeOrder(shop);
    const reasons = new Set<string | null>();
    const end = shop.api.orderStream.subscribe(order.orderId, (notice) => {
      if (typeof notice === 'object') reasons.add(notice.failureReason);
    });
    await pay(shop, order, 'pm_card_chargeDeclined');
    await untilStatus(shop, order.orderId, 'failed');
    await pay(shop, order, 'pm_card_chargeDeclinedInsufficientFunds');
    await waitFor('both reasons', () => reasons.size === 2);
    end();
  });

  test('the confirm call asks the provider and does not wait for the webhook', async () => {
    shop.sandbox.faults.add({ target: 'webhooks', mode: 'drop' });
    const order = await placeOrder(shop);
    const { orderId, paymentIntentId } = order;
    const tooEarly = await post(shop, '/api/confirm-payment', { orderId, paymentIntentId });
    expect(await tooEarly.json()).toEqual({ status: 'pending' });

    await pay(shop, order);
    const answer = await post(shop, '/api/confirm-payment', { orderId, paymentIntentId });

    expect(await answer.json()).toEqual({ status: 'paid' });
    shop.sandbox.faults.clear();
  });

  test('the confirm call refuses a payment of another order', async () => {
    const [mine, other] = [await placeOrder(shop), await placeOrder(shop)];
    await pay(shop, other);

    const { orderId } = mine;
    const answer = await post(shop, '/api/confirm-payment', {
      orderId,
      paymentIntentId: other.paymentIntentId,
    });

    expect(answer.status).toBe(409);
    expect((await readOrder(shop, orderId)).status).toBe('pending');
  });
});

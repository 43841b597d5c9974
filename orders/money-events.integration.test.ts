import { expect, test } from 'vitest';
import { mailsAbout, untilStatus } from '../testing/buyer.ts';
import { listOrderHistory } from '../testing/order-history.ts';
import { withShop } from '../testing/shop.ts';
import { buyByCard, stripeControl } from '../testing/stripe.ts';
import { waitFor } from '../testing/wait-for.ts';

const shop = await withShop({ worker: true });

test('the buyer is notified of each of two partial refunds made at Stripe', async () => {
  const { charge, ...order } = await buyByCard(shop);
  await shop.sandbox.stripeClient.refunds.create({ charge, amount: 100_000 });
  expect((await untilStatus(shop, order.orderId, 'partially_refunded')).amountRefunded).toBe(100_000);

  await shop.sandbox.stripeClient.refunds.create({ charge });
  expect((await untilStatus(shop, order.orderId, 'refunded')).amountRefunded).toBe(299_900);

  const mails = await waitFor('two refund mails', async () => {
    const found = (await mailsAbout(shop, order.orderId)).filter((mail) => /refund/i.test(mail.subject));
    return found.length === 2 ? found : undefined;
  });
  expect(mails.map((mail) => mail.to.join())).toEqual(['ada@example.com', 'ada@example.com']);
  expect(mails.some((mail) => mail.text.includes('$1,000.00'))).toBe(true);
  expect(mails.some((mail) => mail.text.includes('$1,999.00'))).toBe(true);
});

test('a won dispute returns the order to paid, and staff are notified of both', async () => {
  const { charge, ...order } = await buyByCard(shop);
  const dispute = await stripeControl<{ id: string }>(shop, `/charges/${charge}/dispute`);
  await untilStatus(shop, order.orderId, 'disputed');
  await stripeControl(shop, `/disputes/${dispute.id}/close`, { outcome: 'won' });
  await untilStatus(shop, order.orderId, 'paid');

  await waitFor('two e-mails to staff about the dispute', async () => {
    const mails = await mailsAbout(shop, order.orderId);
    const toStaff = mails.filter(({ to }) => to.includes(shop.config.mail.staff));
    return toStaff.filter(({ subject }) => /dispute/i.test(subject)).length === 2;
  });
  const history = await listOrderHistory(shop.db, order.orderId);
  expect(history.map((row) => row.to)).toEqual(['pending', 'paid', 'disputed', 'paid']);
});

test('a lost dispute counts as a refund', async () => {
  const { charge, ...order } = await buyByCard(shop);
  const dispute = await stripeControl<{ id: string }>(shop, `/charges/${charge}/dispute`);
  await untilStatus(shop, order.orderId, 'disputed');
  await stripeControl(shop, `/disputes/${dispute.id}/close`, { outcome: 'lost' });
  expect((await untilStatus(shop, order.orderId, 'refunded')).amountRefunded).toBe(299_900);
});

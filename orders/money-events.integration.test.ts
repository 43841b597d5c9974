import { expect, test } from 'vitest';
import { mailsAbout, pay, placeOrder, untilStatus } from '../testing/buyer.ts';
import { checkNow, emailsOf, jobsOf, untilApplied } from '../testing/inbox.ts';
import { runOps } from '../testing/operator.ts';
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

test.each(['review', 'canceled'] as const)(
  'an order that holds money is checked every week, also when it is %s',
  async (status) => {
    const order = await placeOrder(shop);
    const { orderId } = order;
    await shop.db('orders').where({ id: orderId }).update({ amount: 199_900 });
    const { latest_charge: charge } = await pay(shop, order);
    await untilStatus(shop, orderId, 'review');
    if (status === 'canceled') {
      const decided = await runOps(shop, ['order', 'decide', orderId, 'canceled', '--yes']);
      expect(decided).toMatchObject({ code: 0 });
      await untilStatus(shop, orderId, 'canceled');
    }
    await checkNow(shop, orderId);
    await waitFor('the check', async () => (await jobsOf(shop, orderId, 'reconcile-order')).length > 0);
    await untilApplied(shop);
    const { rows } = await shop.db.raw(
      `select next_check_at - now() > interval '6 days' as weekly, paid_at from orders where id = ?`,
      [orderId],
    );
    expect(rows).toEqual([{ weekly: true, paid_at: null }]);

    shop.sandbox.faults.add({ target: 'webhooks', mode: 'drop' });
    await stripeControl(shop, `/charges/${charge}/dispute`);
    await checkNow(shop, orderId);
    await waitFor('the dispute', async () => {
      const [notice] = await emailsOf(shop, orderId, 'dispute_notice');
      return notice !== undefined;
    });
  },
);

import { expect, test } from 'vitest';
import { readOrder, untilStatus } from '../testing/buyer.ts';
import { holdCall } from '../testing/held-call.ts';
import { checkNow, emailsOf, jobsOf, untilApplied } from '../testing/inbox.ts';
import { withShop } from '../testing/shop.ts';
import { buyByCard, stripeControl } from '../testing/stripe.ts';
import { waitFor } from '../testing/wait-for.ts';

const shop = await withShop({ worker: true });

test('a refund that fails while a check asks about it stays failed: the older answer comes later', async () => {
  const { orderId, paymentIntentId, refundId } = await refundedOrder();
  const match = `/payment_intents/${paymentIntentId}`;
  const question = holdCall(shop, 'stripe', { when: 'after', match });
  await checkNow(shop, orderId);
  await question.received();

  await stripeControl(shop, `/refunds/${refundId}/fail`);
  await untilStatus(shop, orderId, 'paid');
  const checks = async () => (await jobsOf(shop, orderId, 'reconcile-order')).map(({ status }) => status);
  expect(await checks()).toEqual(['open']);
  question.release();
  await waitFor('the check has its answer', async () => (await checks())[0] === 'done');
  await untilApplied(shop);

  expect(await readOrder(shop, orderId)).toMatchObject({ status: 'paid', amountRefunded: 0 });
  expect(await emailsOf(shop, orderId, 'refund_failed_alert')).toMatchObject([{ refundId }]);
});

test('a failed refund that Stripe still shows as succeeded is looked up again', async () => {
  const { orderId, paymentIntentId, refundId } = await refundedOrder();
  shop.sandbox.behaviours.add({ name: 'stripe-late-refund', match: paymentIntentId, count: 3 });

  await stripeControl(shop, `/refunds/${refundId}/fail`);

  expect((await untilStatus(shop, orderId, 'paid')).amountRefunded).toBe(0);
  await waitFor('staff get the mail', async () => {
    return (await emailsOf(shop, orderId, 'refund_failed_alert')).length === 1;
  });
  expect(shop.sandbox.behaviours.list()).toEqual([]);
});

test('a dispute that the charge does not show yet is found', async () => {
  const { orderId, paymentIntentId, charge } = await buyByCard(shop);
  await untilApplied(shop);
  shop.sandbox.behaviours.add({ name: 'stripe-late-dispute', match: paymentIntentId });
  await stripeControl(shop, `/charges/${charge}/dispute`);
  await untilStatus(shop, orderId, 'disputed');
});

test.each([
  ['won', 2],
  ['lost', 1],
])(
  'a dispute that is %s, and that Stripe still lists as open, is looked up again',
  async (outcome, count) => {
    const { orderId, paymentIntentId, charge } = await buyByCard(shop);
    const { id } = await stripeControl<{ id: string }>(shop, `/charges/${charge}/dispute`);
    await untilStatus(shop, orderId, 'disputed');
    shop.sandbox.behaviours.add({ name: 'stripe-late-outcome', match: paymentIntentId, count });

    await stripeControl(shop, `/disputes/${id}/close`, { outcome });

    await untilStatus(shop, orderId, outcome === 'won' ? 'paid' : 'refunded');
    await waitFor('the buyer gets the mail', async () => {
      return (await emailsOf(shop, orderId, 'dispute_closed')).length === 1;
    });
    expect(shop.sandbox.behaviours.list()).toEqual([]);
  },
);

async function refundedOrder() {
  const { charge, ...order } = await buyByCard(shop);
  const { id: refundId } = await shop.sandbox.stripeClient.refunds.create({ charge });
  await untilStatus(shop, order.orderId, 'refunded');
  await untilApplied(shop);
  return { ...order, refundId };
}

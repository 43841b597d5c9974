import { describe, expect, test } from 'vitest';
import { untilStatus } from '../testing/buyer.ts';
import { checkNow, emailsOf, untilHandled } from '../testing/inbox.ts';
import {
  approve,
  buyWithPaypal,
  capture,
  captureOf,
  deliverPaypal,
  paypalControl,
  paypalEvent,
  placePaypalOrder,
} from '../testing/paypal.ts';
import { withShop } from '../testing/shop.ts';
import { waitFor } from '../testing/wait-for.ts';

const shop = await withShop({ worker: true });

describe('an event that does not name its PayPal order', () => {
  test('still settles, refunds and disputes the order', async () => {
    shop.sandbox.behaviors.add({ name: 'paypal-capture-without-order' });
    const purchase = await placePaypalOrder(shop);
    await approve(shop, purchase);
    await untilStatus(shop, purchase.orderId, 'paid');
    const captureId = captureOf(shop, purchase);
    const dispute = await paypalControl<{ dispute_id: string }>(shop, `/captures/${captureId}/dispute`);
    await untilStatus(shop, purchase.orderId, 'disputed');
    await paypalControl(shop, `/disputes/${dispute.dispute_id}/resolve`, { outcome: 'won' });
    await untilStatus(shop, purchase.orderId, 'paid');
    await paypalControl(shop, `/captures/${captureId}/refund`);
    await untilStatus(shop, purchase.orderId, 'refunded');
  });

  test('still denies the payment', async () => {
    shop.sandbox.behaviors.add({ name: 'paypal-capture-without-order' });
    const purchase = await placePaypalOrder(shop);
    await approve(shop, purchase, 'pending');
    await capture(shop, purchase);
    await paypalControl(shop, `/captures/${captureOf(shop, purchase)}/deny`);
    await untilStatus(shop, purchase.orderId, 'failed');
  });

  test('of another application on the account is ignored at once', async () => {
    for (const type of ['PAYMENT.CAPTURE.COMPLETED', 'PAYMENT.CAPTURE.DENIED', 'PAYMENT.CAPTURE.REFUNDED']) {
      const { captureId } = await buyWithPaypal(shop);
      const found = shop.sandbox.paypal.context.state.captures.get(captureId);
      const foreign = { id: '0OTHERCAPTURE0000', invoice_id: 'shop-4711', custom_id: undefined };
      shop.sandbox.paypal.context.state.captures.set(foreign.id, {
        ...structuredClone(found ?? never()),
        ...foreign,
        supplementary_data: undefined,
        links: [],
      });
      const { amount } = found ?? never();
      const event = paypalEvent(type, { ...foreign, status: 'COMPLETED', amount });
      await deliverPaypal(shop, event);
      expect(await untilHandled(shop, event.id)).toMatchObject({
        status: 'ignored',
        note: 'belongs to another application on this account',
      });
    }
  });

  test('and has no id of ours is kept for staff, not ignored', async () => {
    const event = paypalEvent('CUSTOMER.DISPUTE.CREATED', { dispute_id: 'PP-D-UNKNOWN' });
    shop.sandbox.paypal.context.state.disputes.set('PP-D-UNKNOWN', {
      dispute_id: 'PP-D-UNKNOWN',
      create_time: new Date().toISOString(),
      update_time: new Date().toISOString(),
      disputed_transactions: [],
      reason: 'UNAUTHORISED',
      status: 'OPEN',
      seller_response_due_date: new Date().toISOString(),
      dispute_amount: { currency_code: 'USD', value: '2999.00' },
      dispute_life_cycle_stage: 'CHARGEBACK',
      dispute_channel: 'INTERNAL',
      links: [],
    });
    await deliverPaypal(shop, event);
    const job = await waitFor('the first attempt', () =>
      shop
        .db('outbox')
        .where('attempts', '>', 0)
        .whereRaw(`payload->>'eventId' = (select id::text from payment_events where event_id = ?)`, [
          event.id,
        ])
        .first('status', 'last_error'),
    );
    expect(job).toMatchObject({ status: 'open', last_error: expect.stringContaining('names no order') });
  });
});

test('a dispute that names only our invoice reaches its order', async () => {
  const { orderId, captureId } = await buyWithPaypal(shop);
  await untilStatus(shop, orderId, 'paid');
  shop.sandbox.faults.add({ target: 'webhooks', mode: 'drop', count: 1 });
  const { dispute_id: id } = await paypalControl<{ dispute_id: string }>(
    shop,
    `/captures/${captureId}/dispute`,
  );
  const [transaction] = shop.sandbox.paypal.context.state.disputes.get(id)?.disputed_transactions ?? [];
  Object.assign(transaction ?? never(), { seller_transaction_id: undefined, custom: undefined });
  await deliverPaypal(shop, paypalEvent('CUSTOMER.DISPUTE.CREATED', { dispute_id: id }));
  await untilStatus(shop, orderId, 'disputed');
});

describe('a dispute about several transactions', () => {
  test('reaches its order, whichever of them is ours', async () => {
    const { orderId, captureId } = await buyWithPaypal(shop);
    const other = await buyWithPaypal(shop);
    const id = await disputeSilently(captureId);
    const { captures } = shop.sandbox.paypal.context.state;
    const foreign = { ...(captures.get(other.captureId) ?? never()), ...{ id: '0FOREIGN', links: [] } };
    captures.set(foreign.id, {
      ...foreign,
      ...{ invoice_id: 'shop-4711', custom_id: undefined, supplementary_data: undefined },
    });
    transactionsOf(id).unshift(
      { ...firstOf(id), seller_transaction_id: foreign.id, invoice_number: 'shop-4711', custom: undefined },
      { ...firstOf(id), seller_transaction_id: '0UNKNOWN', invoice_number: undefined, custom: undefined },
    );
    await deliverPaypal(shop, paypalEvent('CUSTOMER.DISPUTE.CREATED', { dispute_id: id }));
    await untilStatus(shop, orderId, 'disputed');
  });

  test('of two orders concerns each with what its own payment took, the other one at its next check', async () => {
    const [first, second] = [await buyWithPaypal(shop), await buyWithPaypal(shop)];
    const id = await disputeSilently(first.captureId);
    const dispute = shop.sandbox.paypal.context.state.disputes.get(id) ?? never();
    dispute.dispute_amount = { currency_code: 'USD', value: '5998.00' };
    transactionsOf(id).push({ ...firstOf(id), seller_transaction_id: second.captureId });
    await deliverPaypal(shop, paypalEvent('CUSTOMER.DISPUTE.CREATED', { dispute_id: id }));
    await untilStatus(shop, first.orderId, 'disputed');
    await checkNow(shop, second.orderId);
    await untilStatus(shop, second.orderId, 'disputed');
    for (const { orderId } of [first, second]) {
      expect(await emailsOf(shop, orderId, 'dispute_notice')).toMatchObject([{ amount: 299_900 }]);
    }
  });

  /** Opens a dispute without reporting it. */
  async function disputeSilently(captureId: string): Promise<string> {
    shop.sandbox.behaviors.add({ name: 'paypal-missing-event', match: captureId, count: 1 });
    const { dispute_id: id } = await paypalControl<{ dispute_id: string }>(
      shop,
      `/captures/${captureId}/dispute`,
    );
    return id;
  }

  function transactionsOf(id: string) {
    return shop.sandbox.paypal.context.state.disputes.get(id)?.disputed_transactions ?? never();
  }

  function firstOf(id: string) {
    return transactionsOf(id)[0] ?? never();
  }
});

function never(): never {
  throw new Error('missing in the sandbox');
}

import { describe, expect, test } from 'vitest';
import { mailsAbout, placeOrder, untilStatus } from '../testing/buyer.ts';
import { runOps } from '../testing/operator.ts';
import { listOrderHistory } from '../testing/order-history.ts';
import { withShop } from '../testing/shop.ts';
import { deliver, event, succeededEvent } from '../testing/stripe-events.ts';
import { waitFor } from '../testing/wait-for.ts';

const shop = await withShop({ worker: true });

describe('events', () => {
  test('are listed newest first and shown with their payload, by our id or the provider’s', async () => {
    const odd = event('customer.created', { id: 'cus_1', object: 'customer' });
    await deliver(shop, odd);
    await untilHandled(odd.id);

    const { out } = await runOps(shop, ['events', 'list', '--status', 'ignored']);
    expect(out).toContain('event type not handled');
    const [newest] = JSON.parse((await runOps(shop, ['events', 'list', '--json'])).out);
    expect(newest).toMatchObject({ eventId: odd.id, status: 'ignored', provider: 'stripe' });

    for (const name of [odd.id, newest.id]) {
      const shown = JSON.parse((await runOps(shop, ['events', 'show', name, '--json'])).out);
      expect(shown.payload).toMatchObject({ id: odd.id, type: 'customer.created' });
    }
    expect(await runOps(shop, ['events', 'show', 'evt_none'])).toMatchObject({ code: 1 });
  });

  test('a replayed event goes through the same rule: it recovers what was lost and has no second effect', async () => {
    const order = await placeOrder(shop);
    const { id } = succeededEvent(order);
    await deliver(shop, { ...succeededEvent(order), id });
    await untilStatus(shop, order.orderId, 'paid');
    await waitFor('both mails', async () => (await mailsAbout(shop, order.orderId)).length === 2);

    expect(await runOps(shop, ['events', 'replay', id])).toMatchObject({ code: 1 });
    expect(await runOps(shop, ['events', 'replay', id, '--yes'])).toMatchObject({ code: 0 });
    await untilHandled(id);

    const jobs = await shop.db('outbox').where({ job: 'apply-payment-event', status: 'done' });
    expect(jobs.length).toBeGreaterThanOrEqual(2);
    const history = await listOrderHistory(shop.db, order.orderId);
    expect(history.map((row) => row.to)).toEqual(['pending', 'paid']);
    expect(await mailsAbout(shop, order.orderId)).toHaveLength(2);
  }, 60_000);

  test('a replayed event whose job is dead has that job run again, not a second one', async () => {
    const success = succeededEvent(await placeOrder(shop));
    await deliver(shop, success);
    await untilHandled(success.id);
    const row = await shop.db('payment_events').where({ event_id: success.id }).first('id');
    const jobs = () => shop.db('outbox').whereRaw(`payload->>'eventId' = ?`, [row.id]);
    await shop.db('payment_events').where(row).update({ status: 'dead' });
    await jobs().update({ status: 'dead' });

    expect(await runOps(shop, ['events', 'replay', success.id, '--yes'])).toMatchObject({ code: 0 });
    await untilHandled(success.id);
    await waitFor('the job is done', () => jobs().where({ status: 'done' }).first());
    expect(await jobs()).toHaveLength(1);
  });
});

function untilHandled(eventId: string) {
  return waitFor(`${eventId} is handled`, async () =>
    shop
      .db('payment_events')
      .where({ event_id: eventId })
      .whereIn('status', ['processed', 'ignored'])
      .first(),
  );
}

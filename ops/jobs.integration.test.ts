import { beforeAll, describe, expect, test } from 'vitest';
import { placeOrder, untilStatus } from '../testing/buyer.ts';
import { runOps } from '../testing/operator.ts';
import { withShop } from '../testing/shop.ts';
import { deliver, succeededEvent } from '../testing/stripe-events.ts';
import { waitFor } from '../testing/wait-for.ts';

const shop = await withShop();

test('a dead job is discarded with its event, and both keep the reason', async () => {
  const [stored] = await shop
    .db('payment_events')
    .insert({
      provider: 'stripe',
      event_id: 'evt_dead',
      type: 'charge.refunded',
      payload: '{}',
      source: 'webhook',
      status: 'dead',
    })
    .returning('id');
  const [job] = await shop
    .db('outbox')
    .insert({
      job: 'apply-payment-event',
      queue: 'payments',
      payload: { eventId: stored.id },
      status: 'dead',
      due_at: new Date(),
    })
    .returning('id');
  const discard = ['jobs', 'discard', job.id, '--reason', 'refunded by hand'];
  expect(await runOps(shop, discard)).toMatchObject({ code: 1 });
  expect(await runOps(shop, [...discard, '--yes'])).toMatchObject({ code: 0, out: `Discarded: ${job.id}` });
  const reason = 'discarded: refunded by hand';
  expect(await shop.db('outbox').where({ id: job.id }).first()).toMatchObject({
    status: 'done',
    last_error: reason,
  });
  expect(await shop.db('payment_events').where({ id: stored.id }).first()).toMatchObject({
    status: 'ignored',
    note: reason,
  });
  expect(await runOps(shop, [...discard, '--yes'])).toMatchObject({ code: 1 });
});

test('jobs retry --all runs all failed jobs again, however many', async () => {
  await shop.db.raw(
    `insert into outbox (job, queue, payload, status, due_at)
     select 'send-email', 'emails', '{"emailId":"1"}', 'dead', now() from generate_series(1, 1001)`,
  );
  const dead = await shop.db('outbox').where({ status: 'dead' }).pluck('id');
  const { code, out, err } = await runOps(shop, ['jobs', 'retry', '--all'], 'y');
  expect(err).toContain(`This runs ${dead.length} failed jobs again`);
  expect(code).toBe(0);
  expect(out.replace('Queued: ', '').split(', ').toSorted()).toEqual(dead.toSorted());
  expect(await shop.db('outbox').where({ status: 'dead' })).toEqual([]);
  // The worker of the next tests would run them.
  await shop.db('outbox').delete();
});

describe('failed jobs', () => {
  beforeAll(() => void shop.startWorker());

  test('are listed with their error and run again with their event', async () => {
    const order = await placeOrder(shop);
    const stray = succeededEvent(order, {
      metadata: { app: 'querywright', deployment: 'test' },
      id: 'pi_stray',
    });
    await deliver(shop, stray);
    const [row] = await waitFor('the job has failed once', async () => {
      const rows = await shop
        .db('outbox')
        .where({ job: 'apply-payment-event', status: 'open' })
        .where('attempts', '>', 0);
      return rows.length === 1 ? rows : undefined;
    });
    // As after two days of failures.
    await shop
      .db('outbox')
      .where({ id: row.id })
      .update({ first_failed_at: new Date(Date.now() - 2 * 86_400_000), attempts: 40, due_at: new Date() });
    await waitFor('it is dead', async () => shop.db('outbox').where({ id: row.id, status: 'dead' }).first());

    const alert = await waitFor('staff are alerted', async () => {
      const sent = await shop
        .db('emails')
        .where({ kind: 'job_dead_alert', dedupe_key: row.id, status: 'sent' });
      return sent[0];
    });
    expect(alert.recipient).toBe(shop.config.mail.staff);

    const { out } = await runOps(shop, ['jobs', 'failed']);
    expect(out).toContain('RetryLater: order not found for payment pi_stray');
    expect((await runOps(shop, ['events', 'list', '--status', 'dead'])).out).toContain(stray.id);

    await shop.db('orders').where({ id: order.orderId }).update({ payment_intent_id: 'pi_stray' });
    expect(await runOps(shop, ['jobs', 'retry', '--all', '--yes'])).toMatchObject({
      code: 0,
      out: `Queued: ${row.id}`,
    });
    // Its payment names no order, so the money is not believed to be for this one.
    await untilStatus(shop, order.orderId, 'review');
    expect((await runOps(shop, ['jobs', 'failed'])).out).toBe('No failed jobs');
    expect(await runOps(shop, ['jobs', 'retry', '--all', '--yes'])).toMatchObject({
      code: 0,
      out: 'No failed jobs',
    });
  });

  test('retrying an unknown job is refused', async () => {
    expect(await runOps(shop, ['jobs', 'retry', '999999', '--yes'])).toMatchObject({
      code: 1,
      err: 'Not a failed job: 999999',
    });
    expect(await runOps(shop, ['jobs', 'retry', '--yes'])).toMatchObject({ code: 1 });
    expect(await runOps(shop, ['jobs', 'retry', 'x; drop table', '--yes'])).toMatchObject({ code: 1 });
  });
});

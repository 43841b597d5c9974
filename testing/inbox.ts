import type { EmailKind } from '../core/emails.ts';
import type { Shop } from './shop.ts';
import { waitFor } from './wait-for.ts';

/** The event or report once the worker is done with it. */
export async function untilHandled(shop: Shop, eventId: string) {
  return waitFor(`event ${eventId} is handled`, async () =>
    shop
      .db('payment_events')
      .where({ event_id: eventId })
      .whereIn('status', ['processed', 'ignored', 'dead'])
      .first('status', 'note', { orderId: 'order_id' }),
  );
}

/** Waits until no inbox row, and no job that was tried once, is waiting for the worker. */
export async function untilApplied(shop: Shop): Promise<void> {
  await waitFor('the inbox is applied', async () => {
    const open = shop.db('outbox').where({ status: 'open', queue: 'payments' });
    return (await open.whereRaw('(pushes = 1 or pushes = 0 and due_at <= now())').first('id')) === undefined;
  });
}

/** Waits until no job that was tried, however often, is waiting for the worker or running. */
export async function untilIdle(shop: Shop): Promise<void> {
  await waitFor('the worker is idle', async () => {
    const open = shop.db('outbox').where({ status: 'open', queue: 'payments' });
    return (await open.whereRaw('(pushes > 0 or due_at <= now())').first('id')) === undefined;
  });
}

/** The parameters of the order's e-mails of this kind, oldest first. */
export async function emailsOf(shop: Shop, orderId: string, kind: EmailKind) {
  return shop.db('emails').where({ order_id: orderId, kind }).orderBy('id').pluck('params');
}

/** Makes the order's next check due. */
export async function checkNow(shop: Shop, orderId: string): Promise<void> {
  await shop.db('orders').where({ id: orderId }).update({ next_check_at: shop.db.fn.now() });
}

/** Backdates the order, without making a check due. */
export async function age(shop: Shop, orderId: string, interval: string): Promise<void> {
  await shop
    .db('orders')
    .where({ id: orderId })
    .update({ created_at: shop.db.raw(`now() - interval '${interval}'`) });
}

/** The order's jobs of this name, oldest first. */
export async function jobsOf(shop: Shop, orderId: string, job: string) {
  return queryJobs(shop, orderId, job).orderBy('id').select('status', 'attempts', 'last_error', 'due_at');
}

/** Waits until every job of this name is done. */
export async function untilDone(shop: Shop, orderId: string, job: string): Promise<void> {
  await waitFor('no job is left', async () => {
    const jobs = await jobsOf(shop, orderId, job);
    return jobs.length > 0 && jobs.every(({ status }) => status === 'done');
  });
}

/** Makes the order's open jobs of this name due this long from now. */
export async function setDue(shop: Shop, orderId: string, job: string, interval: string): Promise<void> {
  await queryJobs(shop, orderId, job)
    .where({ status: 'open' })
    .update({ due_at: shop.db.raw(`now() + interval '${interval}'`) });
}

/** Makes a job that has failed look as if it first failed that long ago, and due. */
export async function failingSince(
  shop: Shop,
  orderId: string,
  job: string,
  interval: string,
): Promise<void> {
  await waitFor('the job has failed', async () => (await jobsOf(shop, orderId, job))[0]?.attempts > 0);
  await queryJobs(shop, orderId, job)
    .where({ status: 'open' })
    .update({ first_failed_at: shop.db.raw(`now() - interval '${interval}'`), due_at: shop.db.fn.now() });
}

/** Makes the job's next failure its last. */
export async function lastAttempt(shop: Shop, orderId: string, job: string): Promise<void> {
  await waitFor('the job exists', async () => (await jobsOf(shop, orderId, job)).length === 1);
  await queryJobs(shop, orderId, job)
    .where({ status: 'open' })
    .update({ attempts: 20, due_at: shop.db.fn.now() });
}

function queryJobs(shop: Shop, orderId: string, job: string) {
  return shop.db('outbox').where({ job }).whereRaw(`payload->>'orderId' = ?`, [orderId]);
}

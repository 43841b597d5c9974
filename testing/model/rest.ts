import type { Shop } from '../shop.ts';
import { readLedger } from './ledger.ts';

interface Open {
  what: string;
}

const FAR_AWAY = `interval '1 minute'`;

/** Waits until the order has no undelivered webhook, event or due job. Returns what is open after `withinMs`. */
export async function untilAtRest(
  shop: Shop,
  orderId: string,
  paymentIds: string[],
  withinMs: number,
): Promise<string[]> {
  const deadline = Date.now() + withinMs;
  const names = [orderId, ...paymentIds];
  let quiet = 0;
  for (;;) {
    await hurry(shop, orderId);
    const open = [...pendingWebhooks(shop, names), ...(await openWork(shop, orderId, names))];
    quiet = open.length === 0 ? quiet + 1 : 0;
    if (quiet === 2 || Date.now() > deadline) return open;
    await new Promise((resolve) => setTimeout(resolve, open.length === 0 ? 100 : 700));
  }
}

function pendingWebhooks({ sandbox }: Shop, names: string[]): string[] {
  return sandbox.webhooks
    .snapshot()
    .filter(({ body }) => names.some((name) => body.includes(name)))
    .map(({ type, eventId }) => `webhook ${type} ${eventId}`);
}

async function openWork({ db, sandbox }: Shop, orderId: string, names: string[]): Promise<string[]> {
  const { rows } = await db.raw<{ rows: Open[] }>(
    `select 'event ' || type || ' ' || event_id as what from payment_events
     where status = 'received' and (order_id = :orderId or payload::text ~ :pattern)
     union all
     select 'check' from orders where id = :orderId and next_check_at <= now()
     union all
     select 'fetch of events' from schedules where name like 'backfill-events:%' and next_at <= now()
     union all
     select job from outbox where status = 'open' and job = 'backfill-events'
     union all
     select job || ' #' || id || coalesce(': ' || last_error, '') from outbox
     where status = 'open' and not (pushes = 0 and due_at > now() + ${FAR_AWAY})
       and not (job = 'cancel-payment' and payload->>'paymentId' = any(:atBank) and due_at > now() + ${FAR_AWAY})
       and (payload->>'orderId' = :id
         or payload->>'emailId' in (select id::text from emails where order_id = :orderId))`,
    { orderId, id: orderId, pattern: names.join('|'), atBank: paymentsAtBank(sandbox, orderId) },
  );
  return rows.map(({ what }) => what);
}

/** Their cancellation is tried hourly. */
function paymentsAtBank(sandbox: Shop['sandbox'], orderId: string): string[] {
  return readLedger(sandbox, orderId).flatMap(({ id, state }) => (state === 'processing' ? [id] : []));
}

/** Skips the quarter of a minute or the hour that a cancellation waits, and the pause after failures. */
async function hurry({ db, sandbox }: Shop, orderId: string): Promise<void> {
  await db.raw(
    `update outbox set due_at = now() where id in (
       select id from outbox where status = 'open' and (payload->>'orderId' = :id
           or payload->>'emailId' in (select id::text from emails where order_id = :orderId))
         and (job = 'cancel-payment' and (pushes = 0 or due_at > now() + ${FAR_AWAY} and payload->>'paymentId' <> all(:atBank))
           or attempts > 0 and due_at > now() + interval '3 seconds')
       for update skip locked)`,
    { orderId, id: orderId, atBank: paymentsAtBank(sandbox, orderId) },
  );
}

/** Makes the order's next check due now, as if hours had passed. */
export async function checkNow({ db }: Pick<Shop, 'db'>, orderId: string, ageHours = 0): Promise<void> {
  await db('orders')
    .where({ id: orderId })
    .update({
      next_check_at: db.fn.now(),
      ...(ageHours > 0 ? { created_at: db.raw(`created_at - ? * interval '1 hour'`, [ageHours]) } : {}),
    });
}

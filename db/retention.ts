import { MAX_COUNTED } from '../core/capped-count.ts';
import type { Retention } from '../core/retention.ts';
import type { Database } from './database.ts';

/** Rows changed by one statement, few enough that nothing waits long for its locks. */
const BATCH = 500;

interface Rule {
  table: string;
  /** Rows past their retention time. Repeats the condition of the partial index. */
  isDue: string;
  /** Start of the retention time. */
  since: string;
  remove: string;
}

/** Excludes orders that are not settled or are disputed: their events may still be needed. */
const isAtRest = `not exists (select from orders where orders.id = order_id
  and orders.status in ('pending', 'processing', 'failed', 'review', 'disputed'))`;

/** Canceled orders that took no money. A buyer whose money we hold must stay reachable. */
export const ABANDONED = `status = 'canceled' and paid_at is null and payment_facts->>'captures' = '{}'`;

/** Personal data removed from such an order. The order, its amount and its history stay. */
const anonymized = `customer_name = '', customer_email = '', user_id = null, idempotency_key = null,
  request_fingerprint = null, erased_at = now(), updated_at = now()`;

/** SQL, without its condition. */
export const EMPTY_EVENTS = `update payment_events set payload = '{}', emptied_at = now()`;

const rules: Record<keyof Retention, Rule> = {
  jobs: { table: 'outbox', isDue: `status = 'done'`, since: 'done_at', remove: 'delete from outbox' },
  events: {
    table: 'payment_events',
    isDue: `emptied_at is null and status = 'processed' and ${isAtRest}`,
    since: 'received_at',
    remove: EMPTY_EVENTS,
  },
  ignoredEvents: {
    table: 'payment_events',
    isDue: `emptied_at is null and status = 'ignored'`,
    since: 'received_at',
    remove: EMPTY_EVENTS,
  },
  recipients: {
    table: 'emails',
    isDue: 'recipient is not null',
    since: 'sent_at',
    remove: 'update emails set recipient = null',
  },
  subscriptions: {
    table: 'newsletter_subscriptions',
    isDue: `status = 'pending'`,
    since: 'confirmation_sent_at',
    remove: 'delete from newsletter_subscriptions',
  },
  abandonedOrders: {
    table: 'orders',
    isDue: `${ABANDONED} and erased_at is null`,
    since: 'created_at',
    remove: `update orders set ${anonymized}`,
  },
  messages: {
    table: 'contact_messages',
    isDue: 'true',
    since: 'created_at',
    remove: 'delete from contact_messages',
  },
};

export const retentionRules = Object.keys(rules) as (keyof Retention)[];

/** Removes the next rows, oldest first. Returns whether there may be more. */
export async function removeDue(
  db: Database,
  name: keyof Retention,
  days: number,
): Promise<{ removed: number; isDone: boolean }> {
  if (days === 0) return { removed: 0, isDone: true };
  const { remove, table, isDue, since } = rules[name];
  const { rowCount } = await db.raw<{ rowCount: number }>(
    `${remove} where id in (
       select id from ${table} where ${isDue} and ${since} < now() - ? * interval '1 day'
       order by ${since} limit ${BATCH} for update skip locked)`,
    [days],
  );
  return { removed: rowCount, isDone: rowCount < BATCH };
}

interface DueRows {
  name: keyof Retention;
  days: number;
  /** Up to {@link MAX_COUNTED}. */
  due: number;
  oldest: Date | null;
}

export async function countDue(db: Database, name: keyof Retention, days: number): Promise<DueRows> {
  const { table, isDue, since } = rules[name];
  const { rows } = await db.raw<{ rows: { due: number; oldest: Date | null }[] }>(
    `select count(*)::int as due, min(since) as oldest from (
       select ${since} as since from ${table} where ${isDue} and ${since} < now() - ? * interval '1 day'
       order by ${since} limit ?) as next`,
    [days, MAX_COUNTED],
  );
  return { name, days, due: days === 0 ? 0 : (rows[0]?.due ?? 0), oldest: rows[0]?.oldest ?? null };
}

export async function anonymizeOrders(db: Database, orderIds: string[]): Promise<void> {
  await db.raw(`update orders set ${anonymized} where id = any(?)`, [orderIds]);
}

import type { TransferKind } from '../core/failed-transfers.ts';
import type { PaymentMethod } from '../core/orders.ts';
import type { Database } from './database.ts';
import { readUnansweredMessages, type UnansweredMessages } from './desk-people.ts';
import { type OutboxStatus, readOutboxStatus } from './outbox-status.ts';

/** What needs a person, or shows that something is broken. Times in ms since the epoch, by the database's clock. */
export interface Attention extends OrderAttention, HeldPayments, UnansweredMessages {
  now: number;
  jobs: OutboxStatus[];
  refusedEmails: number;
  refusedSince: number | null;
  /** Payouts and refunds that failed and that staff have not dismissed. */
  transfers: { kind: TransferKind; open: number; openSince: number }[];
}

interface OrderAttention {
  review: number;
  reviewSince: number | null;
  disputed: number;
  /** The next deadline for evidence in an open dispute, whatever the order's status: a refund does not end a chargeback. */
  evidenceDueAt: number | null;
}

interface HeldPayments {
  /** Payments that their provider holds until we act in its dashboard. */
  held: number;
  heldSince: number | null;
}

/** Feeds the gauges and the staff reminders. Reads partial indexes, which hold few rows. */
export async function readAttention(db: Database): Promise<Attention> {
  const [jobs, orders, held, emails, transfers, messages] = await Promise.all([
    readOutboxStatus(db),
    readOrderAttention(db),
    readHeldPayments(db),
    readRefusedEmails(db),
    readOpenTransfers(db),
    readUnansweredMessages(db),
  ]);
  return { ...orders, ...held, ...emails, ...messages, jobs, transfers };
}

/** The order's next deadline for dispute evidence, ms since the epoch; null if there is none. */
const NEXT_EVIDENCE = `select min(due_at) as due
  from json_each(payment_facts->'disputes'), cast(value->>'evidenceDueAt' as numeric) as due_at
  where value->>'outcome' = 'open' and due_at > extract(epoch from now()) * 1000`;

/** By the index of migration 0018. A refunded order may have one, and one whose second payment is disputed. */
const DISPUTED_ORDERS = `orders cross join lateral (${NEXT_EVIDENCE}) as evidence
  where (payment_facts->'disputes')::text like '%"open"%'`;

async function readOrderAttention(db: Database): Promise<OrderAttention> {
  const { rows } = await db.raw<{ rows: [OrderAttention] }>(
    `select
       count(*) filter (where status = 'review')::int as review,
       extract(epoch from min(updated_at) filter (where status = 'review'))::float8 * 1000 as "reviewSince",
       count(*) filter (where status = 'disputed')::int as disputed,
       (select min(due)::float8 from ${DISPUTED_ORDERS}) as "evidenceDueAt"
     from orders where status in ('review', 'disputed')`,
  );
  return rows[0];
}

/** The orders of {@link HeldPayments}, by the index of migration 0015. */
export const HELD_ORDERS = `orders where status = 'processing' and payment_facts->'attempt'->>'heldFor' is not null`;

async function readHeldPayments(db: Database): Promise<HeldPayments> {
  const { rows } = await db.raw<{ rows: [HeldPayments] }>(
    `select count(*)::int as held, extract(epoch from min(updated_at))::float8 * 1000 as "heldSince" from ${HELD_ORDERS}`,
  );
  return rows[0];
}

async function readRefusedEmails(
  db: Database,
): Promise<Pick<Attention, 'now' | 'refusedEmails' | 'refusedSince'>> {
  const { rows } = await db.raw<{ rows: [Pick<Attention, 'now' | 'refusedEmails' | 'refusedSince'>] }>(
    `select count(*)::int as "refusedEmails", extract(epoch from min(claimed_at))::float8 * 1000 as "refusedSince",
       extract(epoch from now())::float8 * 1000 as now
     from emails where status = 'refused'`,
  );
  return rows[0];
}

async function readOpenTransfers(db: Database): Promise<Attention['transfers']> {
  const { rows } = await db.raw<{ rows: Attention['transfers'] }>(
    `select kind, count(*)::int as open, extract(epoch from min(failed_at))::float8 * 1000 as "openSince"
     from failed_transfers where dismissed_at is null group by kind`,
  );
  return rows;
}

/** Signs that e-mails or webhooks do not work, although nothing has failed for good. */
export interface Silence {
  /** Paid orders whose confirmation has been pending for 15 minutes. */
  unconfirmed: number;
  /** Orders paid in the last hour, of providers that sent no webhook in that time. */
  paidWithoutWebhook: { provider: PaymentMethod; orders: number }[];
}

/** Order confirmations that have been pending for too long and were never sent. */
const LATE_CONFIRMATIONS = `outbox join emails on emails.id = (outbox.payload->>'emailId')::bigint
  where outbox.status = 'open' and outbox.job = 'send-email' and emails.kind = 'order_confirmation'
    and emails.sent_at is null and emails.created_at < now() - interval '15 minutes'`;

export async function readSilence(db: Database): Promise<Silence> {
  const [unconfirmed, silent] = await Promise.all([
    db.raw<{ rows: [{ count: number }] }>(`select count(*)::int as count from ${LATE_CONFIRMATIONS}`),
    // A webhook may come a quarter of an hour before its order is paid.
    db.raw<{ rows: Silence['paidWithoutWebhook'] }>(
      `select payment_method as provider, count(*)::int as orders
       from orders
       where created_at > now() - interval '2 hours'
         and paid_at between now() - interval '1 hour' and now() - interval '5 minutes'
         and not exists (
           select from payment_events
           where status in ('received', 'processed', 'ignored', 'dead') and emptied_at is null
             and received_at > now() - interval '75 minutes' and provider = payment_method and source = 'webhook')
       group by payment_method`,
    ),
  ]);
  return { unconfirmed: unconfirmed.rows[0].count, paidWithoutWebhook: silent.rows };
}

export interface WaitingOrder {
  id: string;
  customerName: string;
  serviceName: string;
  amount: number;
  currency: string;
  /** The deadline, or the time since which it has been waiting. */
  at: Date;
}

/** Orders with an open dispute, by their deadline for evidence. */
export function listDueEvidence(db: Database, limit: number): Promise<WaitingOrder[]> {
  return listWaiting(
    db,
    `select id, to_timestamp(due / 1000) as at from ${DISPUTED_ORDERS} and due is not null`,
    limit,
  );
}

/** Orders whose payment its provider holds until we act, oldest first. */
export function listHeldPayments(db: Database, limit: number): Promise<WaitingOrder[]> {
  return listWaiting(db, `select id, updated_at as at from ${HELD_ORDERS}`, limit);
}

/** The paid orders that {@link Silence} counts as unconfirmed, oldest first. */
export function listUnconfirmed(db: Database, limit: number): Promise<WaitingOrder[]> {
  return listWaiting(
    db,
    `select emails.order_id as id, emails.created_at as at from ${LATE_CONFIRMATIONS}`,
    limit,
  );
}

async function listWaiting(db: Database, found: string, limit: number): Promise<WaitingOrder[]> {
  const { rows } = await db.raw<{ rows: WaitingOrder[] }>(
    `select orders.id, customer_name as "customerName", services.name as "serviceName", amount, currency, at
     from (${found}) as waiting join orders on orders.id = waiting.id join services on services.id = service_id
     order by at limit ?`,
    [limit],
  );
  return rows;
}

import type { PaymentMethod } from '../core/orders.ts';
import type { EventSource } from '../core/payment-reports.ts';
import { recordset, runBatch } from './batch-sql.ts';
import { inBatches, perOwner } from './batches.ts';
import { type BundledRow, bundled, toEntries } from './bundles.ts';
import type { Database, Transaction } from './database.ts';
import { enqueue, IS_OPEN, LEASE_SECONDS, SUBJECT } from './outbox.ts';
import { giveUpTakenIds, reserveOutboxIds } from './outbox-ids.ts';
import { currentTraceparent } from './traceparent.ts';
import type { Origin, QueueEntry } from './unit-of-work.ts';

export interface NewPaymentEvent {
  provider: PaymentMethod;
  /** The provider's event id, or an id derived from its content: the same row is stored once. */
  eventId: string;
  type: string;
  source: EventSource;
  orderId?: string;
  /** The order that a webhook names, unchecked: read with the event, in case it is the order of its payment. */
  namedOrderId?: string | undefined;
  payload: string;
  requestId: string;
  /** The operator's reason. */
  note?: string;
}

/** A crash or failover undid the event's commit before it was flushed. */
export class EventLost extends Error {
  readonly code = 'EVENT_LOST';
  constructor() {
    super('The database lost an event before its commit was flushed');
    this.name = 'EventLost';
  }
}

export interface Inbox {
  db: Database;
  outbox: EventJobs;
}

/** Where the jobs of events go. */
interface EventJobs {
  /** Never throws. */
  enqueue(entries: QueueEntry[]): void;
  /** Jobs are enqueued after the commit, not during it (docs/decisions/0023-enqueue-during-commit.md): no buyer waits. */
  afterCommit?: boolean;
}

/**
 * Stores an event and its job atomically, and enqueues the job. A repeated event is not stored again, but its job is enqueued
 * again unless the event has been handled. Returns whether the event is new. If `signal` is aborted, as the caller has hung
 * up, while the event still waits, it is not stored.
 */
export async function receiveEvent(
  { db, outbox }: Inbox,
  event: NewPaymentEvent,
  signal?: AbortSignal,
): Promise<boolean> {
  const isNew = await storeEvent(outbox, db)({ ...event, traceparent: currentTraceparent() }, signal);
  if (isNew) return true;
  const entry = await requeue(db)(event);
  if (entry) outbox.enqueue([entry]);
  return false;
}

/** {@link receiveEvent} in the caller's transaction. Returns the inbox row's id, undefined if the event is known. */
export async function receiveEventIn(trx: Transaction, event: NewPaymentEvent): Promise<string | undefined> {
  const { provider, eventId, type, source, orderId = null, payload, note = null } = event;
  const [row] = await trx('payment_events')
    .insert({ provider, event_id: eventId, type, source, order_id: orderId, payload, note })
    .onConflict(['provider', 'event_id'])
    .ignore()
    .returning<{ id: string }[]>('id');
  if (row) await enqueue(trx, { name: 'apply-payment-event', payload: { eventId: row.id } });
  return row?.id;
}

type EventKey = Pick<NewPaymentEvent, 'provider' | 'eventId'>;

/**
 * Events that are stored together share a job, whose transactions cost more than their own. Under load each waits 2 ms on
 * average; one that comes alone waits for none. Of 32 senders, some are served while the events of others are stored.
 */
const pace = { paceMs: 4, enough: 12 };

/** Larger batches come under load. They commit synchronously, which saves a round trip: throughput counts more then. */
const MAX_EARLY = 4;

/** Later a worker may have given up waiting for the row (worker/worker.ts). */
const SLOW_COMMIT_MS = 30;

/** False for an event that was stored before. */
const storeEvent = perOwner((outbox: EventJobs, db: Database) =>
  inBatches(
    (events: (NewPaymentEvent & Origin)[]) =>
      storeAndEnqueue(db, outbox, events).catch((error: unknown) => {
        if (error instanceof EventLost || giveUpTakenIds(db, error))
          return storeAndEnqueue(db, outbox, events);
        throw error;
      }),
    pace,
  ),
);

async function storeAndEnqueue(
  db: Database,
  outbox: EventJobs,
  events: (NewPaymentEvent & Origin)[],
): Promise<boolean[]> {
  const rows = await withJobs(db, events);
  const isEarly = rows.length <= MAX_EARLY;
  const storing = storeEvents(db, rows, isEarly);
  if (!outbox.afterCommit) outbox.enqueue(jobsOf(rows));
  const startedAt = performance.now();
  const stored = new Set((await storing).map(keyOf));
  const isSlow = performance.now() - startedAt > SLOW_COMMIT_MS;
  const fresh = rows.filter((row) => stored.has(keyOf(row)));
  const known = rows.filter((row) => !stored.has(keyOf(row)));
  // The queue ignores what it still holds.
  if (outbox.afterCommit || isSlow) outbox.enqueue(jobsOf(fresh));
  // The new ones were committed together: one stands for all.
  const unflushed = [...(isEarly ? fresh.slice(0, 1) : []), ...known];
  if (unflushed.length > 0) await flushEvents(db, unflushed);
  return events.map((event) => stored.delete(keyOf(event)));
}

const eventJob = { job: 'apply-payment-event', queue: 'payments' } as const;

type EventRow = NewPaymentEvent & Origin & { outboxId: string; bundle: string | null };

/** Each event once, with its job's row and bundle. */
async function withJobs(db: Database, events: (NewPaymentEvent & Origin)[]): Promise<EventRow[]> {
  const distinct = [...new Map(events.map((event) => [keyOf(event), event])).values()];
  const ids = await reserveOutboxIds(db, distinct.length);
  return bundled(distinct.map((event, index) => ({ ...event, outboxId: ids[index] ?? '' })));
}

function jobsOf(rows: EventRow[]): QueueEntry[] {
  return toEntries(rows.map(({ outboxId: id, bundle }) => ({ id, bundle, ...eventJob, delivery: 1 })));
}

/**
 * Returns those that are new. If `isEarly`, they are visible before they are flushed: call {@link flushEvents} before answering.
 */
function storeEvents(db: Database, rows: EventRow[], isEarly: boolean): Promise<EventKey[]> {
  return runBatch<EventKey>(
    db,
    rows,
    `with received as (${recordset(
      `provider text, "eventId" text, type text, source text, "orderId" uuid, "namedOrderId" uuid, payload text,
       "requestId" text, traceparent text, "outboxId" bigint, bundle uuid`,
      rows,
    )}),
     event as (
       insert into payment_events (provider, event_id, type, source, order_id, payload)
       select provider, "eventId", type, source, "orderId", payload::json from received
       on conflict (provider, event_id) do nothing returning id, provider, event_id),
     job as (
       insert into outbox (id, job, queue, payload, request_id, traceparent, due_at, bundle) overriding system value
       select "outboxId", :job, :queue,
         jsonb_strip_nulls(jsonb_build_object('eventId', id::text, 'namedOrderId', "namedOrderId")), "requestId",
         traceparent, now() + :lease * interval '1 second', bundle
       from event join received on received.provider = event.provider and "eventId" = event_id)
     select provider, event_id as "eventId"${isEarly ? ", set_config('synchronous_commit', 'off', true)" : ''} from event`,
    { lease: LEASE_SECONDS, ...eventJob },
  );
}

/**
 * Makes all commits so far durable, including another process's commit of a known event. The commit of a settlement does so as
 * well, so it cannot outlive its event (https://www.postgresql.org/docs/current/wal-async-commit.html). The message is needed
 * because a transaction that writes no WAL flushes nothing.
 * @throws EventLost if the server has restarted or failed over meanwhile without these events
 */
async function flushEvents(db: Database, events: EventKey[]): Promise<void> {
  const keys = events.map(({ provider, eventId }) => ({ provider, eventId }));
  const [flushed] = await runBatch<{ stored: number }>(
    db,
    keys,
    `with received as (${recordset('provider text, "eventId" text', keys)})
     select count(*)::int as stored, pg_logical_emit_message(true, 'querywright', '')
     from received join payment_events as event on event.provider = received.provider and event_id = "eventId"`,
  );
  if (flushed?.stored !== keys.length) throw new EventLost();
}

function keyOf({ provider, eventId }: EventKey): string {
  return `${provider} ${eventId}`;
}

/** An event that is in a batch twice is enqueued again only once. */
function take<T>(rowOf: Map<string, T>, key: string): T | undefined {
  const row = rowOf.get(key);
  rowOf.delete(key);
  return row;
}

/**
 * The job of an event that is not handled yet, for another delivery: alone, since the queue would take it for its bundle.
 * Skips a job that is just being completed.
 */
const requeue = perOwner((db: Database) =>
  inBatches<NewPaymentEvent, QueueEntry | undefined>(async (events) => {
    const ids = events.map(({ provider, eventId }) => ({ provider, eventId }));
    const rows = await runBatch<Omit<BundledRow, 'bundle'> & EventKey>(
      db,
      ids,
      `with event as (
         select id::text, provider, event_id from payment_events
         join (${recordset('provider text, "eventId" text', ids)}) as repeated using (provider)
         where event_id = "eventId" and status = 'received'),
       target as (
         select outbox.id, event.provider, event_id from outbox join event on ${SUBJECT} = event.id
         where ${IS_OPEN} and job = 'apply-payment-event'
         order by outbox.id for update of outbox skip locked)
       update outbox set pushes = pushes + 1 from target where outbox.id = target.id
       returning outbox.id, queue, job, pushes as delivery, provider, event_id as "eventId"`,
    );
    const entryOf = new Map(
      rows.map(({ provider, eventId, id, ...job }) => [
        keyOf({ provider, eventId }),
        { ...job, ids: [id], bundle: null },
      ]),
    );
    return events.map((event) => take(entryOf, keyOf(event)));
  }),
);

import { type PaymentMethod, paymentMethods } from '../core/orders.ts';
import type { EventSource } from '../core/payment-reports.ts';
import { ROW_ID } from '../core/text.ts';
import { recordset, runBatch, selectBatch } from './batch-sql.ts';
import { inBatches, perOwner } from './batches.ts';
import { type BundledRow, bundled, MAX_BUNDLE, toEntries } from './bundles.ts';
import type { Database, Transaction } from './database.ts';
import { enqueue, IS_OPEN, LEASE_SECONDS, SUBJECT } from './outbox.ts';
import { giveUpTakenIds, reserveOutboxIds } from './outbox-ids.ts';
import { currentTraceparent } from './traceparent.ts';
import type { Origin, QueueEntry } from './unit-of-work.ts';

export interface PaymentEvent {
  id: string;
  provider: PaymentMethod;
  eventId: string;
  type: string;
  source: EventSource;
  payload: unknown;
  /** Known for reports that we requested. A webhook's order is looked up when it is applied. */
  orderId: string | null;
  status: 'received' | 'processed' | 'ignored' | 'dead';
  receivedAt: Date;
}

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

/** Where the jobs of events go. `enqueue` gets a new event's before its row is committed, and never throws. */
export interface Inbox {
  db: Database;
  outbox: { enqueue(entries: QueueEntry[]): void };
}

/**
 * Stores an event and the job that applies it, atomically, and enqueues the job; for a repeated event that is not handled yet
 * its job again. Returns whether the event is new. An aborted `signal` means that the caller has hung up: an event that still
 * waits is not stored then.
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
 * average; one that comes alone waits for none.
 */
const pace = { paceMs: 4, enough: MAX_BUNDLE };

/** Later a worker may have given up waiting for the row (worker/run-job.ts). */
const SLOW_COMMIT_MS = 30;

/** False for an event that was stored before. */
const storeEvent = perOwner((outbox: Inbox['outbox'], db: Database) =>
  inBatches(
    (events: (NewPaymentEvent & Origin)[]) =>
      storeAndEnqueue(db, outbox, events).catch((error: unknown) => {
        if (giveUpTakenIds(db, error)) return storeAndEnqueue(db, outbox, events);
        throw error;
      }),
    pace,
  ),
);

async function storeAndEnqueue(
  db: Database,
  outbox: Inbox['outbox'],
  events: (NewPaymentEvent & Origin)[],
): Promise<boolean[]> {
  const rows = await withJobs(db, events);
  const entries = toEntries(
    rows.map(({ outboxId, bundle }) => ({ id: outboxId, ...eventJob, delivery: 1, bundle })),
  );
  const storing = storeEvents(db, rows);
  // A buyer waits for both (docs/decisions/0023-enqueued-while-committed.md).
  outbox.enqueue(entries);
  const startedAt = performance.now();
  const stored = new Set((await storing).map(keyOf));
  // The queue ignores what it still holds.
  if (performance.now() - startedAt > SLOW_COMMIT_MS) outbox.enqueue(entries);
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

/** Returns those that are new. */
function storeEvents(db: Database, rows: EventRow[]): Promise<EventKey[]> {
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
     select provider, event_id as "eventId" from event`,
    { lease: LEASE_SECONDS, ...eventJob },
  );
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

export function findEvent(db: Database, id: string): Promise<PaymentEvent | undefined> {
  return findEvents(db)(id);
}

const findEvents = perOwner((db: Database) =>
  inBatches<string, PaymentEvent | undefined>(async (ids) => {
    const rows = await selectBatch<PaymentEvent>(
      db,
      ids,
      (isOneOf) => `select id, provider, type, source, payload, status, event_id as "eventId",
        order_id as "orderId", received_at as "receivedAt"
      from payment_events where id ${isOneOf}`,
    );
    return ids.map((id) => rows.find((row) => row.id === id));
  }),
);

/** Closes the event: applied to an order, or stored without effect (`note` says why). */
export async function markEventHandled(
  trx: Transaction,
  id: string,
  outcome: { status: 'processed' | 'ignored'; orderId?: string; note?: string },
): Promise<void> {
  await trx('payment_events')
    .where({ id })
    .update({
      status: outcome.status,
      ...(outcome.orderId ? { order_id: outcome.orderId } : {}),
      note: outcome.note ?? null,
      processed_at: trx.fn.now(),
    });
}

/** Marks an event whose order was never found as dead; it waits for an operator. */
export async function markEventDead(db: Database, id: string, note: string): Promise<void> {
  await db('payment_events').where({ id, status: 'received' }).update({ status: 'dead', note });
}

export interface EventSummary {
  id: string;
  provider: PaymentMethod;
  eventId: string;
  type: string;
  source: EventSource;
  status: PaymentEvent['status'];
  orderId: string | null;
  note: string | null;
  receivedAt: Date;
  processedAt: Date | null;
}

const summary = {
  id: 'id',
  provider: 'provider',
  eventId: 'event_id',
  type: 'type',
  source: 'source',
  status: 'status',
  orderId: 'order_id',
  note: 'note',
  receivedAt: 'received_at',
  processedAt: 'processed_at',
} as const;

export async function listEvents(
  db: Database,
  { limit, ...filter }: { status?: string; provider?: string; orderId?: string; limit: number },
): Promise<EventSummary[]> {
  const { status, provider, orderId } = filter;
  const wanted = { status, provider, order_id: orderId };
  return db('payment_events')
    .select(summary)
    .where(Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined)))
    .orderBy('id', 'desc')
    .limit(limit);
}

/** The event with this row id or provider event id, with its payload. */
export async function findEventByName(
  db: Database,
  name: string,
): Promise<(EventSummary & { payload: unknown }) | undefined> {
  return db('payment_events')
    .select(summary)
    .select('payload')
    .modify((query) => {
      if (ROW_ID.test(name)) return query.where({ id: name });
      // The index begins with the provider.
      return query.whereIn('provider', [...paymentMethods]).where({ event_id: name });
    })
    .first();
}

/** Reopens an event so that its job applies it again. Keeps an operator's reason. False if retention removed its payload. */
export async function reopenEvent(trx: Transaction, id: string): Promise<boolean> {
  const reason = trx.raw(`case when source = 'operator' and status = 'processed' then note end`);
  const changed = await trx('payment_events')
    .where({ id, emptied_at: null })
    .update({ status: 'received', note: reason, processed_at: null });
  return changed === 1;
}

/** Whether an operator's decision, or the report of a refund by staff, waits for a worker. */
export async function hasOpenOperatorReport(db: Database, orderId: string): Promise<boolean> {
  const waiting = { order_id: orderId, source: 'operator', status: 'received' };
  return (await db('payment_events').where(waiting).first('id')) !== undefined;
}

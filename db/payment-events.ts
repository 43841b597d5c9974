import { type PaymentMethod, paymentMethods } from '../core/orders.ts';
import type { EventSource } from '../core/payment-reports.ts';
import { ROW_ID } from '../core/text.ts';
import { recordset, runBatch, selectBatch } from './batch-sql.ts';
import { inBatches, perOwner } from './batches.ts';
import { type BundledRow, bundled, MAX_BUNDLE, toEntries } from './bundles.ts';
import type { Database, Transaction } from './database.ts';
import { enqueue, IS_OPEN, LEASE_SECONDS, SUBJECT } from './outbox.ts';
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

/**
 * Stores an event and the job that applies it, atomically. Returns the queue entry:
 * the new job, or for a repeated event that is not handled yet its job again. Of events stored together, one gets the entry
 * of all. An aborted `signal` means that the caller has hung up: an event that still waits is not stored then.
 */
export async function receiveEvent(
  db: Database,
  event: NewPaymentEvent,
  signal?: AbortSignal,
): Promise<{ isNew: boolean; entry: QueueEntry | undefined }> {
  const stored = await storeEvent(db)({ ...event, traceparent: currentTraceparent() }, signal);
  if (stored) return { isNew: true, entry: stored.entry };
  return { isNew: false, entry: await requeue(db)(event) };
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

interface StoredEvent {
  entry: QueueEntry | undefined;
}

/**
 * Events that are stored together share a job, whose transactions cost more than their own. Under load each waits 2 ms on
 * average; one that comes alone waits for none.
 */
const pace = { paceMs: 4, enough: MAX_BUNDLE };

/** Undefined for an event that was stored before. */
const storeEvent = perOwner((db: Database) =>
  inBatches<NewPaymentEvent & Origin, StoredEvent | undefined>(async (events) => {
    const items = bundled(events);
    const rows = await runBatch<BundledRow & EventKey>(
      db,
      items,
      `with received as (
         select distinct on (provider, "eventId") * from (${recordset(
           `provider text, "eventId" text, type text, source text, "orderId" uuid, "namedOrderId" uuid, payload text,
           "requestId" text, traceparent text, bundle uuid`,
           items,
         )}) as delivered),
       event as (
         insert into payment_events (provider, event_id, type, source, order_id, payload)
         select provider, "eventId", type, source, "orderId", payload::json from received
         on conflict (provider, event_id) do nothing returning id, provider, event_id),
       job as (
         insert into outbox (job, queue, payload, request_id, traceparent, due_at, bundle)
         select 'apply-payment-event', 'payments',
           jsonb_strip_nulls(jsonb_build_object('eventId', id::text, 'namedOrderId', "namedOrderId")), "requestId",
           traceparent, now() + :lease * interval '1 second', bundle
         from event join received on received.provider = event.provider and "eventId" = event_id
         returning id, queue, job, payload, pushes, bundle)
       select job.id, queue, job, pushes as delivery, bundle, provider, event_id as "eventId"
       from job join event on job.payload->>'eventId' = event.id::text`,
      { lease: LEASE_SECONDS },
    );
    const jobs = rows.map(({ provider: _provider, eventId: _eventId, ...job }) => job);
    const entryOf = new Map(toEntries(jobs).map((entry) => [entry.ids[0], entry]));
    const storedAs = new Map(
      rows.map(({ id, provider, eventId }) => [`${provider} ${eventId}`, { entry: entryOf.get(id) }]),
    );
    return events.map(({ provider, eventId }) => take(storedAs, `${provider} ${eventId}`));
  }, pace),
);

/** An event that is in a batch twice is new, or enqueued again, only once. */
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
        `${provider} ${eventId}`,
        { ...job, ids: [id], bundle: null },
      ]),
    );
    return events.map(({ provider, eventId }) => take(entryOf, `${provider} ${eventId}`));
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

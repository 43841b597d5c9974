import { type PaymentMethod, paymentMethods } from '../core/orders.ts';
import type { EventSource } from '../core/payment-reports.ts';
import { ROW_ID } from '../core/text.ts';
import { selectBatch } from './batch-sql.ts';
import { inBatches, perOwner } from './batches.ts';
import type { Database, Transaction } from './database.ts';

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

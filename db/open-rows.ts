import { selectBatch } from './batch-sql.ts';
import { inBatches, perDatabase } from './batches.ts';
import type { Database } from './database.ts';
import { IS_OPEN, type OutboxRow } from './outbox.ts';
import type { PaymentEvent } from './payment-events.ts';

export interface OpenRow extends OutboxRow {
  /** What an apply-payment-event job applies. */
  event: PaymentEvent | undefined;
}

/** The row, if its job is not done. Its event is read with it, since a buyer waits for every round trip. */
export function findOpenRow(db: Database, id: string): Promise<OpenRow | undefined> {
  return findOpenRows(db)(id);
}

type Row = OutboxRow & { event: (Omit<PaymentEvent, 'receivedAt'> & { receivedAt: string }) | null };

const findOpenRows = perDatabase((db) =>
  inBatches<string, OpenRow | undefined>(async (ids) => {
    const rows = await selectBatch<Row>(
      db,
      ids,
      (isOneOf) => `select outbox.id, job, outbox.payload, attempts, traceparent, request_id as "requestId",
        coalesce(extract(epoch from clock_timestamp() - first_failed_at) * 1000, 0)::float8 as "failingForMs",
        case when event.id is not null then json_build_object('id', event.id::text, 'provider', provider,
          'eventId', event_id, 'type', type, 'source', source, 'payload', event.payload, 'orderId', order_id,
          'status', event.status, 'receivedAt', received_at) end as event
      from outbox left join payment_events as event
        on event.id = case when job = 'apply-payment-event' then (outbox.payload->>'eventId')::bigint end
      where outbox.id ${isOneOf} and ${IS_OPEN}`,
    );
    const byId = new Map(rows.map((row) => [row.id, row]));
    return ids.map((id) => toOpenRow(byId.get(id)));
  }),
);

function toOpenRow(row: Row | undefined): OpenRow | undefined {
  const event = row?.event;
  return row && { ...row, event: event ? { ...event, receivedAt: new Date(event.receivedAt) } : undefined };
}

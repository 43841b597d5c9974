import { selectBatch } from './batch-sql.ts';
import { inBatches, perOwner } from './batches.ts';
import type { Database } from './database.ts';
import { type Order, orderColumns } from './orders.ts';
import { IS_OPEN, type OutboxRow } from './outbox.ts';
import type { PaymentEvent } from './payment-events.ts';

export interface OpenRow extends OutboxRow {
  /** What an apply-payment-event job applies. */
  event: PaymentEvent | undefined;
  /** The event's, or the one that it names. */
  order: Order | undefined;
}

/**
 * The row with its event and order, since a buyer waits for every round trip; 'ended' if its job is done or dead, undefined if
 * there is no such row.
 */
export function findOpenRow(db: Database, id: string): Promise<OpenRow | 'ended' | undefined> {
  return findOpenRows(db)(id);
}

type AsJson<T> = {
  [K in keyof T]: T[K] extends Date ? string : T[K] extends Date | null ? string | null : T[K];
};

type Row = OutboxRow & { isOpen: boolean; event: AsJson<PaymentEvent> | null; order: AsJson<Order> | null };

const ORDER = `json_build_object(${Object.entries(orderColumns).map(([name, column]) => `'${name}', orders.${column}`)})`;

const findOpenRows = perOwner((db: Database) =>
  inBatches<string, OpenRow | 'ended' | undefined>(async (ids) => {
    const rows = await selectBatch<Row>(
      db,
      ids,
      (isOneOf) => `select outbox.id, job, outbox.payload, attempts, traceparent, request_id as "requestId",
        ${IS_OPEN} as "isOpen",
        coalesce(extract(epoch from clock_timestamp() - first_failed_at) * 1000, 0)::float8 as "failingForMs",
        case when event.id is not null then json_build_object('id', event.id::text, 'provider', provider,
          'eventId', event_id, 'type', type, 'source', source, 'payload', event.payload, 'orderId', order_id,
          'status', event.status, 'receivedAt', received_at) end as event,
        case when orders.id is not null then ${ORDER} end as "order"
      from outbox
      left join payment_events as event
        on event.id = case when job = 'apply-payment-event' then (outbox.payload->>'eventId')::bigint end
      left join orders on orders.id = coalesce(order_id, (outbox.payload->>'namedOrderId')::uuid)
      where outbox.id ${isOneOf}`,
    );
    const byId = new Map(rows.map((row) => [row.id, row]));
    return ids.map((id) => toOpenRow(byId.get(id)));
  }),
);

function toOpenRow(row: Row | undefined): OpenRow | 'ended' | undefined {
  if (!row) return undefined;
  if (!row.isOpen) return 'ended';
  const { event, order, isOpen: _, ...same } = row;
  return {
    ...same,
    event: event ? { ...event, receivedAt: new Date(event.receivedAt) } : undefined,
    order: order
      ? { ...order, createdAt: new Date(order.createdAt), paidAt: dateOf(order.paidAt) }
      : undefined,
  };
}

function dateOf(text: string | null): Date | null {
  return text === null ? null : new Date(text);
}

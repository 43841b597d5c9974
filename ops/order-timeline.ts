import type { Database } from '../db/database.ts';
import { findOrderDetails, type OrderDetails } from '../db/order-details.ts';

export interface TimelineEntry {
  at: Date;
  what: 'move' | 'event' | 'job' | 'mail';
  text: string;
}

export interface OrderTimeline {
  order: OrderDetails;
  /** Oldest first. */
  timeline: TimelineEntry[];
}

/** Everything that is known of an order, or undefined if there is none. */
export async function readOrderTimeline(db: Database, id: string): Promise<OrderTimeline | undefined> {
  const order = await findOrderDetails(db, id);
  if (!order) return undefined;
  const { rows } = await db.raw<{ rows: TimelineEntry[] }>(
    `with mail as (select * from emails where subject_id = :id or subject_id like :id || ':%')
     select created_at as at, 'move' as what,
       coalesce(from_status || ' → ', '') || to_status || ' (' || cause || ')' as text
       from order_history where order_id = :uuid
     union all
     select received_at, 'event', provider || ' ' || type || ' ' || event_id || ': ' || status || coalesce(', ' || note, '')
       from payment_events where order_id = :uuid
     union all
     select o.created_at, 'job', o.job || ' #' || o.id || ': ' || o.status || ', ' || o.attempts || ' failures'
       || coalesce(', last: ' || o.last_error, '')
       from outbox o
       where (o.job = 'apply-payment-event' and o.payload->>'eventId' in
           (select e.id::text from payment_events e where e.order_id = :uuid))
         or o.payload->>'orderId' = :id
         or (o.job = 'send-email' and o.payload->>'emailId' in (select m.id::text from mail m))
     union all
     select coalesce(sent_at, created_at), 'mail', kind || ' to ' || coalesce(recipient, '?') || ': ' || status
       || coalesce(', ' || last_error, '') from mail
     order by 1`,
    { id, uuid: id },
  );
  return { order, timeline: rows };
}

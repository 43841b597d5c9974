import type { Database } from './database.ts';
import { ACTION_TEXT } from './desk-actions.ts';
import { findOrderDetails, type OrderDetails } from './order-details.ts';
import { SUBJECT } from './outbox.ts';

interface TimelineEntry {
  at: Date;
  what: 'move' | 'event' | 'job' | 'mail' | 'transfer' | 'person';
  text: string;
  id: string;
  name: string | null;
  status: string | null;
  requestId: string | null;
}

export interface OrderTimeline {
  order: OrderDetails;
  timeline: TimelineEntry[];
}

/** The order with its history, events, jobs, e-mails, failed refunds and staff actions. Causes precede effects at equal times. */
export async function readOrderTimeline(db: Database, id: string): Promise<OrderTimeline | undefined> {
  const order = await findOrderDetails(db, id);
  if (!order) return undefined;
  const { rows } = await db.raw<{ rows: TimelineEntry[] }>(
    `with mail as (select * from emails where order_id = :uuid),
     subject (job, id) as (
       select 'apply-payment-event', id::text from payment_events where order_id = :uuid
       union all
       select 'send-email', id::text from mail
       union all
       select unnest(array['reconcile-order', 'refund-duplicate', 'cancel-payment', 'refund-payment', 'keep-payment',
         'cancel-order']),
         :id),
     entry (at, rank, id, what, name, status, request_id, text) as (
       select created_at, 2, id, 'move', null, null, request_id,
         coalesce(from_status || ' → ', '') || to_status || ' (' || cause || ')'
       from order_history where order_id = :uuid
       union all
       select received_at, 1, id, 'event', type, status, null,
         provider || ' ' || type || ' ' || event_id || ': ' || status || coalesce(', ' || note, '')
       from payment_events where order_id = :uuid
       union all
       select o.created_at, 3, o.id, 'job', o.job, o.status, o.request_id,
         o.job || ' #' || o.id || ': ' || o.status || ', ' || o.attempts || ' failures' || coalesce(', last: ' || o.last_error, '')
       from subject join outbox o on o.job = subject.job and ${SUBJECT} = subject.id
       union all
       select coalesce(sent_at, created_at), 4, id, 'mail', kind, status, null,
         upper(left(kind, 1)) || replace(substr(kind, 2), '_', ' ') || ' #' || id || ' to ' || coalesce(recipient, 'a recipient yet unknown') || ': ' || status || coalesce(', ' || last_error, '')
       from mail
       union all
       select failed_at, 4, id, 'transfer', null, case when dismissed_at is null then 'open' else 'dismissed' end, null,
         initcap(kind) || ' ' || transfer_id || ' of ' || to_char(amount / 100.0, 'FM$999,999,990.00') || ' failed at ' || provider
         || coalesce(', dismissed: ' || dismissed_because, '')
       from failed_transfers where order_id = :uuid
       union all
       select at, 0, id, 'person', null, null, request_id, staff || ': ' || ${ACTION_TEXT} || ': ' || reason
       from desk_actions where order_id = :uuid)
     select at, what, name, status, request_id as "requestId", text, id::text from entry order by at, rank, id`,
    { id, uuid: id },
  );
  return { order, timeline: rows };
}

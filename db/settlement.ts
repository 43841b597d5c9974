import type { EmailRequest } from '../core/emails.ts';
import type { FailedTransfer } from '../core/failed-transfers.ts';
import { type Job, jobs, type QueueName } from '../core/jobs.ts';
import type { Money } from '../core/money.ts';
import type { Move } from '../core/order-state.ts';
import type { OrderStatus, PaymentMethod } from '../core/orders.ts';
import type { PaymentFacts } from '../core/payment-facts.ts';
import type { EventSource } from '../core/payment-reports.ts';
import { recordset, runBatch } from './batch-sql.ts';
import type { Database } from './database.ts';
import { EMAIL_COLUMNS, isDue, QUEUE_EMAILS, toEmailRow } from './emails.ts';
import { RECORD_TRANSFERS, TRANSFER_COLUMNS } from './failed-transfers.ts';
import { NOTIFY, toNotice } from './order-notices.ts';
import { toWatchedStatus, type WatchedStatus } from './order-status.ts';
import { IS_OPEN } from './outbox.ts';
import type { Committed, Origin } from './unit-of-work.ts';

export interface SettlementChange extends Origin, Money {
  orderId: string;
  paymentMethod: PaymentMethod;
  version: number;
  status: OrderStatus;
  facts: PaymentFacts;
  amountRefunded: number;
  failureReason: string | null;
  paymentIntentId: string | null;
  isPaid: boolean;
  /** Amount paid towards the price, in cents. */
  taken: number;
  isUnsettled: boolean;
  moves: Move[];
  emails: EmailRequest[];
  jobs: Job[];
  failedRefunds: FailedTransfer[];
  /** Whether the order's event streams are notified. */
  isVisible: boolean;
  source: EventSource;
  eventId: string;
  /** The outbox row of the event's job, which is completed in the same transaction. */
  outboxId: string;
}

/** `moved`: the order has another version by now or is held by another transaction, or another run has ended the job. */
export type SettlementOutcome = 'saved' | 'moved';

/** A settled order is checked again this often: a refund's or dispute's event may be lost. */
const SETTLED_CHECK = `interval '7 days'`;
/** The next check of an order that was canceled but whose payment turns out to be in progress. */
const REVIVED_CHECK = `interval '1 hour'`;

/**
 * Writes each order's new state, its history, e-mails and jobs, and closes its event and job. An order's changes are written
 * together or not at all, and only if it still has the version that was read and the job is open; otherwise `moved` is returned.
 * Of several changes of one order in a batch, one is written. Waits for a job that the relay holds, never for an order. One
 * statement, as a buyer waits for every round trip: it also notifies the event streams, so that no crash comes in between.
 * PostgreSQL serializes the commits of notifying transactions, disk flush included, but one is for a whole batch.
 */
export async function saveSettlements(
  db: Database,
  changes: SettlementChange[],
): Promise<Committed<SettlementOutcome[]>> {
  const items = changes.map(toRow);
  const rows = await runBatch<{ position: number }>(
    db,
    items,
    `with change as (
       select distinct on (id) * from (${recordset(
         `position int, id uuid, "outboxId" bigint, version int, status text, facts json, refunded int,
         "failureReason" text, "paymentIntentId" text, paid boolean, taken int, unsettled boolean,
         "eventId" bigint, source text, "requestId" text, traceparent text, moves json, emails json, jobs json,
         "failedRefunds" json, notice text`,
         items,
       )}) as decided
       order by id, position),
     target as (
       select orders.id from change
       join orders on orders.id = change.id and orders.version = change.version
       join outbox on outbox.id = change."outboxId" and ${IS_OPEN}
       order by orders.id for update of outbox for update of orders skip locked),
     saved as (
       update orders set status = change.status, payment_facts = change.facts, amount_refunded = change.refunded,
         failure_reason = change."failureReason", payment_intent_id = change."paymentIntentId",
         paid_at = case when change.paid then coalesce(paid_at, now())
           when change.taken = 0 and change.status in ('refunded', 'canceled') then null else paid_at end,
         next_check_at = case when change.unsettled then coalesce(next_check_at, now() + ${REVIVED_CHECK})
           when change.paid then now() + ${SETTLED_CHECK}
           when change.status = 'canceled' and change.facts->>'captures' = '{}' then null
           when change.status in ('canceled', 'review') then coalesce(next_check_at, now() + ${SETTLED_CHECK})
           else next_check_at end,
         version = orders.version + 1, updated_at = now()
       from change join target on target.id = change.id
       where orders.id = change.id
       returning change.*, orders.paid_at),
     history as (
       insert into order_history (order_id, from_status, to_status, cause, payment_event_id, request_id)
       select id, "from", "to", source, "eventId", "requestId"
       from saved, json_to_recordset(moves) as move("from" text, "to" text)),
     event as (
       update payment_events set status = 'processed', order_id = saved.id, processed_at = now()
       from saved where payment_events.id = "eventId"),
     job as (update outbox set status = 'done', done_at = now() from saved where outbox.id = "outboxId"),
     failed as (select failed.* from saved, json_to_recordset("failedRefunds") as failed(${TRANSFER_COLUMNS})),
     transfer as (${RECORD_TRANSFERS}),
     requested as (select email.* from saved, json_to_recordset(emails) as email(${EMAIL_COLUMNS})),
     ${QUEUE_EMAILS},
     follow_up as (
       insert into outbox (job, queue, payload, request_id, traceparent, pushes, due_at)
       select name, queue, payload, "requestId", traceparent, 0, now()
       from saved, json_to_recordset(jobs) as job(name text, queue text, payload jsonb))
     select position, ${NOTIFY} from saved`,
  );
  const positions = new Set(rows.map(({ position }) => position));
  const saved = changes.filter((_, position) => positions.has(position));
  return {
    result: changes.map((_, position) => (positions.has(position) ? 'saved' : 'moved')),
    due: saved.flatMap(queuesOf),
    moves: saved.flatMap(({ orderId, moves, source, ...change }) =>
      moves.map((move) => ({ ...move, orderId, by: source, ...toOrigin(change) })),
    ),
  };
}

function toRow(change: SettlementChange, position: number) {
  return {
    position,
    id: change.orderId,
    outboxId: change.outboxId,
    version: change.version,
    status: change.status,
    facts: change.facts,
    refunded: change.amountRefunded,
    failureReason: change.failureReason,
    paymentIntentId: change.paymentIntentId,
    paid: change.isPaid,
    taken: change.taken,
    unsettled: change.isUnsettled,
    eventId: change.eventId,
    source: change.source,
    ...toOrigin(change),
    moves: change.moves,
    emails: change.emails.map((email) => toEmailRow({ ...email, ...toOrigin(change) })),
    jobs: change.jobs.map((job) => ({ ...job, queue: jobs[job.name].queue })),
    failedRefunds: change.failedRefunds,
    notice: change.isVisible ? toNotice(statusOf(change)) : null,
  };
}

function statusOf({ orderId: id, version, ...change }: SettlementChange): WatchedStatus {
  return toWatchedStatus({ ...change, id, version: version + 1, paidAt: null });
}

/** The queues whose rows the change makes due. */
function queuesOf(change: SettlementChange): QueueName[] {
  return [
    ...(change.emails.some(isDue) ? (['emails'] as const) : []),
    ...change.jobs.map(({ name }) => jobs[name].queue),
  ];
}

function toOrigin({ requestId, traceparent }: Origin): Origin {
  return { requestId, traceparent };
}

import type { EmailRequest } from '../core/emails.ts';
import type { FailedTransfer } from '../core/failed-transfers.ts';
import type { Job } from '../core/jobs.ts';
import type { Move } from '../core/order-state.ts';
import type { OrderStatus } from '../core/orders.ts';
import type { PaymentFacts } from '../core/payment-facts.ts';
import type { EventSource } from '../core/payment-reports.ts';
import { recordset, runBatch } from './batch-sql.ts';
import type { Transaction } from './database.ts';
import { queueEmails } from './emails.ts';
import { recordFailedTransfers } from './failed-transfers.ts';
import { enqueue } from './outbox.ts';
import { addAfterCommit, type Origin } from './unit-of-work.ts';

export interface SettlementChange extends Origin {
  orderId: string;
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
 * Writes each order's new state, its history, e-mails and jobs, and closes its event and job: per order all or nothing.
 * Optimistic: an order that changed since it was read is left alone and reported as `moved`.
 */
export async function saveSettlements(
  trx: Transaction,
  changes: SettlementChange[],
): Promise<SettlementOutcome[]> {
  const saved = await updateOrders(trx, changes);
  const applied = changes.filter((change) => saved.has(change));
  // None needs another's result: the connection sends them together.
  await Promise.all([
    recordFailedTransfers(
      trx,
      applied.flatMap(({ failedRefunds }) => failedRefunds),
    ),
    recordChanges(trx, applied),
    enqueueFollowUps(trx, applied),
  ]);
  return changes.map((change) => (saved.has(change) ? 'saved' : 'moved'));
}

/**
 * Returns the changes that were written: one per order at the version read whose job is open. Waits for a job that the relay
 * holds, never for an order.
 */
async function updateOrders(trx: Transaction, changes: SettlementChange[]): Promise<Set<SettlementChange>> {
  const items = changes.map(toOrderRow);
  const rows = await runBatch<{ position: number }>(
    trx,
    items,
    `with change as (
       select distinct on (id) * from (${recordset(
         `position int, id uuid, "outboxId" bigint, version int, status text, facts json, refunded int,
         "failureReason" text, "paymentIntentId" text, paid boolean, taken int, unsettled boolean`,
         items,
       )}) as decided
       order by id, position),
     target as (
       select orders.id from change
       join orders on orders.id = change.id and orders.version = change.version
       join outbox on outbox.id = change."outboxId" and outbox.status = 'open'
       order by orders.id for update of outbox for update of orders skip locked)
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
     returning change.position`,
  );
  const positions = new Set(rows.map(({ position }) => position));
  return new Set(changes.filter((_, position) => positions.has(position)));
}

function toOrderRow(change: SettlementChange, position: number) {
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
  };
}

/** Writes the orders' history and closes the events and jobs. */
async function recordChanges(trx: Transaction, changes: SettlementChange[]): Promise<void> {
  if (changes.length === 0) return;
  const items = changes.map(({ orderId, eventId, outboxId, source, requestId, moves }) => ({
    orderId,
    eventId,
    outboxId,
    source,
    requestId,
    moves,
  }));
  await runBatch(
    trx,
    items,
    `with change as (
       ${recordset('"orderId" uuid, "eventId" bigint, "outboxId" bigint, source text, "requestId" text, moves json', items)}),
     history as (
       insert into order_history (order_id, from_status, to_status, cause, payment_event_id, request_id)
       select "orderId", "from", "to", source, "eventId", "requestId"
       from change, json_to_recordset(moves) as move("from" text, "to" text)),
     event as (
       update payment_events set status = 'processed', order_id = change."orderId", processed_at = now()
       from change where payment_events.id = change."eventId")
     update outbox set status = 'done', done_at = now() from change where outbox.id = change."outboxId"`,
  );
}

async function enqueueFollowUps(trx: Transaction, changes: SettlementChange[]): Promise<void> {
  const emails = changes.flatMap((change) =>
    change.emails.map((email) => ({ ...email, ...toOrigin(change) })),
  );
  const jobs = changes.flatMap((change) => change.jobs.map((job) => enqueue(trx, job, toOrigin(change))));
  await Promise.all([queueEmails(trx, emails), ...jobs]);
  addAfterCommit(trx, {
    changedOrders: changes.filter(({ isVisible }) => isVisible).map(({ orderId }) => orderId),
    moves: changes.flatMap(({ orderId, moves, source, ...change }) =>
      moves.map((move) => ({ ...move, orderId, by: source, ...toOrigin(change) })),
    ),
  });
}

function toOrigin({ requestId, traceparent }: Origin): Origin {
  return { requestId, traceparent };
}

import type { EmailRequest } from '../core/emails.ts';
import {
  type OrderEffect,
  type Settlement,
  settle,
  settlingCapture,
  unsettledStatuses,
} from '../core/order-lifecycle.ts';
import type { PaymentFact } from '../core/payment-facts.ts';
import { inBatches, perDatabase } from './batches.ts';
import type { Database, Transaction } from './database.ts';
import { lockOrder, type Order } from './orders.ts';
import { type AfterCommit, addAfterCommit, LEASE_SECONDS, type QueueEntry, requestIdOf } from './outbox.ts';

/** Who moves the order; the history row says so. */
export interface Cause {
  by: 'webhook' | 'confirm call' | 'capture call' | 'reconciliation' | 'expiry' | 'operator';
  paymentEventId?: string;
  /** The payment that the facts are about: remembered if the order knows none yet. */
  paymentIntentId?: string;
  requestId?: string | null;
}

/**
 * The one function that moves an order, whoever calls (design §6): locks the row, lets the pure rule decide, and
 * writes the new state, its history, the mails and jobs that follow and the live notice in the caller's transaction.
 * Returns undefined if there is no such order.
 */
export async function settleOrder(
  trx: Transaction,
  orderId: string,
  facts: readonly PaymentFact[],
  cause: Cause,
): Promise<(Settlement & { before: Order }) | undefined> {
  const order = await lockOrder(trx, orderId);
  if (!order) return undefined;
  const settlement = settle(order, facts);
  const change = { order, settlement, cause: { ...cause, requestId: requestIdOf(trx) }, outboxRow: null };
  const [enqueued] = await write(trx, [change]);
  if (enqueued === undefined) throw new Error(`Order ${orderId} moved under its lock`);
  addAfterCommit(trx, afterCommitFor(order, settlement, cause, enqueued));
  return { ...settlement, before: order };
}

/**
 * The same as the whole effect of a webhook's job, in a single statement and without a lock: the way that almost every
 * order is paid, and the worker's hottest. Returns what is to be told, or undefined if the order moved since it was read,
 * or the job was done by another run: then nothing has happened.
 */
export async function settleByEvent(
  db: Database,
  order: Order,
  facts: readonly PaymentFact[],
  cause: Cause & { paymentEventId: string },
  outboxRow: string,
): Promise<AfterCommit | undefined> {
  const settlement = settle(order, facts);
  const enqueued = await writeEvents(db)({ order, settlement, cause, outboxRow });
  return enqueued && afterCommitFor(order, settlement, cause, enqueued);
}

const writeEvents = perDatabase((db) => inBatches((changes: Change[]) => write(db, changes)));

/** What is to be written of one order. */
interface Change {
  order: Order;
  settlement: Settlement;
  cause: Cause;
  /** The outbox row of the webhook's job that this is the whole effect of. */
  outboxRow: string | null;
}

function afterCommitFor(
  order: Order,
  settlement: Settlement,
  { by }: Cause,
  enqueued: QueueEntry[],
): AfterCommit {
  const visible = settlement.moves.length > 0 || settlement.amountRefunded !== order.amountRefunded;
  return {
    enqueued,
    changedOrders: visible ? [order.id] : [],
    moves: settlement.moves.map((move) => ({ orderId: order.id, ...move, by })),
  };
}

/**
 * State, history, mails and jobs, and for a webhook's job its event and its outbox row, of each order all or nothing, in
 * one statement. Answers for each with the jobs to push, or with undefined if the order is no longer at the version
 * that was read or its outbox row is done.
 */
async function write(db: Database, changes: Change[]): Promise<(QueueEntry[] | undefined)[]> {
  const { rows } = await db.raw<{ rows: { change: number; enqueued: QueueEntry[] }[] }>(
    `with change as (
       select * from json_to_recordset(:changes) as c(
         change int, id uuid, version int, "outboxRow" bigint, status text, facts json, "amountRefunded" int,
         "failureReason" text, "paymentIntentId" text, "becamePaid" boolean, unsettled boolean, moves json, mails json,
         refunds jsonb, by text, "paymentEventId" bigint, "requestId" text)),
     saved as (
       update orders set status = change.status, payment_facts = change.facts,
         amount_refunded = change."amountRefunded", failure_reason = change."failureReason",
         payment_intent_id = coalesce(payment_intent_id, change."paymentIntentId"),
         paid_at = case when change."becamePaid" then coalesce(paid_at, now()) else paid_at end,
         next_check_at = case when change.unsettled then next_check_at end,
         version = orders.version + 1, updated_at = now()
       from change
       where orders.id = change.id and orders.version = change.version
         and (change."outboxRow" is null or exists (
           select from outbox where outbox.id = change."outboxRow" and outbox.status = 'open'))
       returning change.*),
     history as (
       insert into order_history (order_id, from_status, to_status, cause, payment_event_id, request_id)
       select saved.id, "from", "to", saved.by, saved."paymentEventId", saved."requestId"
       from saved, json_to_recordset(saved.moves) as move("from" text, "to" text)),
     event as (
       update payment_events set status = 'processed', order_id = saved.id, processed_at = now()
       from saved where saved."outboxRow" is not null and payment_events.id = saved."paymentEventId"),
     job as (
       update outbox set status = 'done', done_at = now() from saved where outbox.id = saved."outboxRow"),
     wanted as (
       select saved.change, saved."requestId", mail.*
       from saved, json_to_recordset(saved.mails) as mail(
         kind text, "dedupeKey" text, params jsonb, "orderId" uuid, "delayMs" int)),
     mails as (
       insert into emails (kind, dedupe_key, params, order_id) select kind, "dedupeKey", params, "orderId" from wanted
       on conflict (kind, dedupe_key) do nothing returning id, kind, dedupe_key),
     follow_up as (
       select wanted.change, wanted."requestId", 'send-email' as job, 'emails' as queue, "delayMs",
         jsonb_build_object('emailId', mails.id::text) as payload
       from mails join wanted on wanted.kind = mails.kind and wanted."dedupeKey" = mails.dedupe_key
       union all
       select saved.change, saved."requestId", 'refund-duplicate-capture', 'payments', null, payload
       from saved, jsonb_array_elements(saved.refunds) as payload),
     enqueued as (
       insert into outbox (job, queue, payload, request_id, pushes, due_at)
       select job, queue, payload, "requestId", case when "delayMs" is null then 1 else 0 end,
         now() + coalesce("delayMs", :lease * 1000) * interval '1 millisecond'
       from follow_up
       returning id, queue, job, payload, pushes)
     select saved.change, coalesce((
       select json_agg(json_build_object('id', id::text, 'queue', enqueued.queue, 'job', enqueued.job, 'delivery', 1))
       from enqueued join follow_up on follow_up.job = enqueued.job and follow_up.payload = enqueued.payload
       where follow_up.change = saved.change and enqueued.pushes = 1), '[]') as enqueued
     from saved`,
    { changes: JSON.stringify(changes.map(toRecord)), lease: LEASE_SECONDS },
  );
  const byChange = new Map(rows.map(({ change, enqueued }) => [change, enqueued]));
  return changes.map((_, index) => byChange.get(index));
}

function toRecord({ order, settlement: next, cause, outboxRow }: Change, index: number) {
  return {
    change: index,
    id: order.id,
    version: order.version,
    outboxRow,
    status: next.status,
    facts: next.facts,
    amountRefunded: next.amountRefunded,
    failureReason: next.status === 'failed' ? (next.facts.attempt?.reason ?? null) : null,
    paymentIntentId: cause.paymentIntentId ?? null,
    becamePaid: next.moves.some((move) => move.to === 'paid'),
    unsettled: (unsettledStatuses as readonly string[]).includes(next.status),
    moves: next.moves,
    mails: next.effects.flatMap((effect) => mailsFor(order, next, effect)),
    refunds: next.effects.flatMap((effect) => refundsFor(order, effect)),
    by: cause.by,
    paymentEventId: cause.paymentEventId ?? null,
    requestId: cause.requestId ?? null,
  };
}

/** The payload of the job that gives a second payment back. */
function refundsFor({ id }: Order, effect: OrderEffect): { orderId: string; captureId: string }[] {
  return effect.kind === 'duplicate_capture' ? [{ orderId: id, captureId: effect.captureId }] : [];
}

/** The mails that an effect asks for. */
function mailsFor(order: Order, next: Settlement, effect: OrderEffect): EmailRequest[] {
  const { id: orderId } = order;
  switch (effect.kind) {
    case 'paid':
      return [
        { kind: 'order_confirmation', dedupeKey: orderId, params: {}, orderId },
        { kind: 'order_notice', dedupeKey: orderId, params: {}, orderId },
      ];
    case 'payment_failed': {
      const delayMs = PAYMENT_FAILED_MAIL_DELAY_MS;
      return [{ kind: 'payment_failed', dedupeKey: orderId, params: {}, orderId, delayMs }];
    }
    case 'refunded': {
      const capture = settlingCapture(order, order.facts);
      const refundedBefore = capture ? (order.facts.refunded[capture] ?? 0) : 0;
      const params = { refundedTotal: effect.total, refundedBefore };
      return [{ kind: 'refund_notice', dedupeKey: `${orderId}:${effect.total}`, params, orderId }];
    }
    case 'dispute_opened':
      return [disputeNotice(orderId, effect.disputeId, 'opened')];
    case 'dispute_closed': {
      const outcome = next.facts.disputes[effect.disputeId]?.outcome;
      return [disputeNotice(orderId, effect.disputeId, outcome === 'won' ? 'won' : 'lost')];
    }
    case 'capture_mismatch':
      return [{ kind: 'review_alert', ...aboutPayment(orderId, effect.captureId) }];
    case 'duplicate_capture':
      return [{ kind: 'duplicate_payment_alert', ...aboutPayment(orderId, effect.captureId) }];
  }
}

function disputeNotice(orderId: string, disputeId: string, state: 'opened' | 'won' | 'lost'): EmailRequest {
  const dedupeKey = `${orderId}:${disputeId}:${state}`;
  return { kind: 'dispute_notice', dedupeKey, params: { disputeId, state }, orderId };
}

function aboutPayment(orderId: string, paymentId: string) {
  return { dedupeKey: `${orderId}:${paymentId}`, params: { paymentId }, orderId };
}

/** A declined card is usually tried again at once; the mail is for those who went away (it is dropped if they paid). */
const PAYMENT_FAILED_MAIL_DELAY_MS = 10 * 60_000;

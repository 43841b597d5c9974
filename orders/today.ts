import { type Concern, openConcerns } from '../core/concerns.ts';
import type { TodayItem, TodayView } from '../core/desk.ts';
import { emailName } from '../core/emails.ts';
import type { TransferKind } from '../core/failed-transfers.ts';
import { type JobName, jobNames, refundJobs } from '../core/jobs.ts';
import { formatMoney } from '../core/money.ts';
import { brands } from '../core/order-texts.ts';
import { listDueEvidence, listHeldPayments, listUnconfirmed, type WaitingOrder } from '../db/attention.ts';
import type { Database } from '../db/database.ts';
import { type DeadJob, listDeadJobs } from '../db/dead-jobs.ts';
import { type EmailRecord, listRefusedEmails } from '../db/emails.ts';
import { listFailedTransfers, type OpenTransfer } from '../db/failed-transfers.ts';
import { searchOrders } from '../db/order-search.ts';
import { type ObservedParts, observeShop } from './observe-shop.ts';

const MAX_ITEMS = 20;

/** What needs a person now, each concern with up to {@link MAX_ITEMS} of its items. */
export async function readToday(parts: ObservedParts): Promise<Omit<TodayView, 'payouts'>> {
  const concerns = openConcerns(await observeShop(parts));
  return {
    concerns: await Promise.all(
      concerns.map(async (concern) => ({ concern, items: await itemsOf(parts.db, concern) })),
    ),
  };
}

async function itemsOf(db: Database, { topic }: Concern): Promise<TodayItem[]> {
  switch (topic) {
    case 'orders_unconfirmed':
      return (await listUnconfirmed(db, MAX_ITEMS)).map(orderItem);
    case 'orders_in_review':
      return ordersInReview(db);
    case 'payments_held':
      return (await listHeldPayments(db, MAX_ITEMS)).map(orderItem);
    case 'evidence_due':
      return (await listDueEvidence(db, MAX_ITEMS)).map(orderItem);
    case 'refunds_dead':
      return deadJobs(db, refundJobs);
    case 'refunds_failed':
      return failedTransfers(db, 'refund');
    case 'payouts_failed':
      return failedTransfers(db, 'payout');
    case 'jobs_dead':
      return deadJobs(
        db,
        jobNames.filter((job) => !refundJobs.includes(job)),
      );
    case 'emails_refused':
      return (await listRefusedEmails(db, MAX_ITEMS)).map(emailItem);
    default:
      return [];
  }
}

async function deadJobs(db: Database, names: readonly JobName[]): Promise<TodayItem[]> {
  return (await listDeadJobs(db, MAX_ITEMS, names)).map(jobItem);
}

async function failedTransfers(db: Database, kind: TransferKind): Promise<TodayItem[]> {
  return (await listFailedTransfers(db, MAX_ITEMS, kind)).map(transferItem);
}

async function ordersInReview(db: Database): Promise<TodayItem[]> {
  const orders = await searchOrders(db, { status: 'review' }, {}, undefined, MAX_ITEMS);
  return orders.map((order) => orderItem({ ...order, at: order.createdAt }));
}

function orderItem({ id, customerName, serviceName, amount, currency, at }: WaitingOrder): TodayItem {
  const text = `${customerName}: ${serviceName}, ${formatMoney(amount, currency)}`;
  return { ...item(text, at), orderId: id };
}

function jobItem({ id, job, lastError, createdAt, orderId }: DeadJob): TodayItem {
  const text = `${job} #${id}: ${lastError ?? 'no error recorded'}`;
  return { ...item(text, createdAt), orderId, subject: { kind: 'job', id } };
}

function emailItem({ id, kind, lastError, createdAt, orderId }: EmailRecord): TodayItem {
  const text = `${emailName(kind)} #${id}: ${lastError ?? 'no error recorded'}`;
  return { ...item(text, createdAt), orderId, subject: { kind: 'email', id } };
}

function transferItem({ id, orderId, failedAt, ...failed }: OpenTransfer): TodayItem {
  const { kind, provider, transferId, amount, currency, reason } = failed;
  const text = `${kind === 'refund' ? 'Refund' : 'Payout'} ${transferId} of ${formatMoney(amount, currency)} at ${brands[provider]}: ${reason ?? 'no reason given'}`;
  return { ...item(text, failedAt), orderId, subject: { kind: 'transfer', id } };
}

function item(text: string, at: Date): TodayItem {
  return { text, at: at.toISOString(), orderId: null, subject: null };
}

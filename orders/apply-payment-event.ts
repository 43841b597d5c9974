import type Stripe from 'stripe';
import type { JobPayload } from '../core/jobs.ts';
import type { PaymentMethod } from '../core/orders.ts';
import { factsFor, withoutAttempts } from '../core/payment-facts.ts';
import { databaseTime } from '../db/database.ts';
import { queueEmails } from '../db/emails.ts';
import { findOrder, findOrderByPayment, type Order } from '../db/orders.ts';
import { findEvent, markEventDead, markEventHandled, type PaymentEvent } from '../db/payment-events.ts';
import { settleByEvent, settleOrder } from '../db/settlement.ts';
import { crashPoint } from '../infra/crash-point.ts';
import { RetryLater } from '../infra/retry.ts';
import type { PaymentReport } from '../providers/gateway.ts';
import { readPaypalEvent } from '../providers/paypal/events.ts';
import { readStripeEvent } from '../providers/stripe/events.ts';
import type { WorkerParts } from '../worker/parts.ts';
import type { JobRun } from '../worker/run-job.ts';
import { captureApproved } from './capture-approved.ts';

/** Applies one event of the inbox to its order: read → find the order → settle, event and job done in one transaction. */
export async function applyPaymentEvent(
  parts: WorkerParts,
  { eventId }: JobPayload<'apply-payment-event'>,
  run: JobRun,
): Promise<void> {
  const event = await findEvent(parts.db, eventId);
  if (event?.status !== 'received') return run.complete();

  const ignore = (note: string, orderId?: string) =>
    run.complete((trx) => markEventHandled(trx, event.id, { status: 'ignored', note, orderId }));

  const read = await readEvent(parts, event);
  if (!read) return ignore('a type we do not act on');

  const order = await findOrderOf(parts, read);
  if (!order && isForeign(parts, read)) return ignore('of another application on the same account');
  if (!order) throw new RetryLater(`No order is known yet for ${read.paymentIntentId}`);
  const part = partOf(order, read, event.provider);
  if (!part) {
    run.logger.warn({ orderId: order.id, eventId: event.eventId }, 'event names an order of another payment');
    return run.complete(async (trx) => {
      const note = 'its metadata names an order that belongs to another payment';
      await markEventHandled(trx, event.id, { status: 'ignored', note, orderId: order.id });
      const paymentId = read.paymentIntentId;
      const dedupeKey = `${order.id}:${paymentId}`;
      await queueEmails(trx, [{ kind: 'review_alert', dedupeKey, params: { paymentId }, orderId: order.id }]);
    });
  }
  const report = part === 'current payment' ? await captureApproved(parts, order, read) : read;

  const told = factsFor(order.id, report);
  const facts = part === 'former payment' ? withoutAttempts(told) : told;
  const cause = {
    by: 'webhook',
    paymentIntentId: part === 'current payment' ? report.paymentIntentId : undefined,
    paymentEventId: event.id,
    requestId: run.requestId,
  } as const;
  const settled = await settleByEvent(parts.db, order, facts, cause, run.row);
  crashPoint('in-apply-payment-event');
  if (settled) return parts.outbox.publish(settled, run.requestId);

  // Something else moved the order at the same time: now under its lock.
  await run.complete(async (trx) => {
    await settleOrder(trx, order.id, facts, cause);
    await markEventHandled(trx, event.id, { status: 'processed', orderId: order.id });
  });
}

type Part = 'current payment' | 'former payment';

/** What the payment is to the order; undefined if it is none of its payments. */
function partOf(order: Order, { paymentIntentId }: PaymentReport, provider: PaymentMethod): Part | undefined {
  if (order.formerPaymentIds.includes(paymentIntentId)) return 'former payment';
  if (order.paymentIntentId) return order.paymentIntentId === paymentIntentId ? 'current payment' : undefined;
  return order.paymentMethod === provider ? 'current payment' : undefined;
}

/** The event's order never became known: it stays in the inbox for the operator. */
export async function deadLetterPaymentEvent(
  parts: WorkerParts,
  payload: JobPayload<'apply-payment-event'>,
  reason: string,
): Promise<void> {
  await markEventDead(parts.db, payload.eventId, reason);
}

function readEvent(
  parts: WorkerParts,
  { provider, payload }: PaymentEvent,
): Promise<PaymentReport | undefined> {
  const now = () => databaseTime(parts.db);
  return provider === 'stripe'
    ? readStripeEvent(parts.stripe, payload as Stripe.Event, now)
    : readPaypalEvent(parts.paypal, payload, now);
}

function isForeign(parts: WorkerParts, { metadata }: PaymentReport): boolean {
  if (metadata.app !== undefined && metadata.app !== 'querywright') return true;
  return metadata.deployment !== undefined && metadata.deployment !== parts.config.deployment;
}

/** By its payment, or by the order id that the payment carries: an event may come before our row knows the payment. */
async function findOrderOf(parts: WorkerParts, report: PaymentReport): Promise<Order | undefined> {
  const byPayment = await findOrderByPayment(parts.db, report.paymentIntentId);
  const { orderId } = report.metadata;
  if (byPayment || !orderId || !UUID.test(orderId)) return byPayment;
  return findOrder(parts.db, orderId);
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

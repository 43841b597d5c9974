import type Stripe from 'stripe';
import type { JobPayload } from '../core/jobs.ts';
import { databaseTime } from '../db/database.ts';
import { queueEmail } from '../db/emails.ts';
import { findOrder, findOrderByPayment, type Order } from '../db/orders.ts';
import { findEvent, markEventDead, markEventHandled, type PaymentEvent } from '../db/payment-events.ts';
import { settleOrder } from '../db/settlement.ts';
import type { PaymentReport } from '../infra/payment-gateway.ts';
import type { WorkerParts } from './parts.ts';
import { NotYet } from './retry.ts';
import type { JobRun } from './run-job.ts';
import { readStripeEvent } from './stripe-events.ts';

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

  const report = await readEvent(parts, event);
  if (!report) return ignore('a type we do not act on');

  const order = await findOrderOf(parts, report);
  if (!order && isForeign(parts, report)) return ignore('of another application on the same account');
  if (!order) throw new NotYet(`No order is known yet for ${report.paymentIntentId}`);
  if (order.paymentIntentId && order.paymentIntentId !== report.paymentIntentId) {
    run.logger.warn({ orderId: order.id, eventId: event.eventId }, 'event names an order of another payment');
    return run.complete(async (trx) => {
      const note = 'its metadata names an order that belongs to another payment';
      await markEventHandled(trx, event.id, { status: 'ignored', note, orderId: order.id });
      await queueEmail(trx, 'review_alert', `${order.id}:${report.paymentIntentId}`);
    });
  }

  await run.complete(async (trx) => {
    const { paymentIntentId } = report;
    const cause = {
      by: 'webhook',
      paymentIntentId,
      paymentEventId: event.id,
      requestId: run.requestId,
    } as const;
    const settled = await settleOrder(trx, order.id, report.facts, cause);
    await markEventHandled(trx, event.id, { status: 'processed', orderId: order.id });
    for (const move of settled?.moves ?? []) run.logger.info({ orderId: order.id, ...move }, 'order moved');
  });
}

/** The event's order never became known: it stays in the inbox for the operator. */
export async function buryPaymentEvent(
  parts: WorkerParts,
  payload: JobPayload<'apply-payment-event'>,
  reason: string,
): Promise<void> {
  await markEventDead(parts.db, payload.eventId, reason);
}

function readEvent(parts: WorkerParts, event: PaymentEvent): Promise<PaymentReport | undefined> {
  return readStripeEvent(parts.stripe, event.payload as Stripe.Event, () => databaseTime(parts.db));
}

function isForeign(parts: WorkerParts, { metadata }: PaymentReport): boolean {
  if (metadata.app !== undefined && metadata.app !== 'querywright') return true;
  return metadata.deployment !== undefined && metadata.deployment !== parts.config.deployment;
}

/** By the order id that the payment carries, since the event may come before our row knows the payment's id. */
async function findOrderOf(parts: WorkerParts, report: PaymentReport): Promise<Order | undefined> {
  const { orderId } = report.metadata;
  if (orderId && UUID.test(orderId)) return findOrder(parts.db, orderId);
  return findOrderByPayment(parts.db, report.paymentIntentId);
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

import { setTimeout as sleep } from 'node:timers/promises';
import type { JobPayload } from '../core/jobs.ts';
import { formatMoney } from '../core/money.ts';
import {
  OUR_APP,
  type PaymentReport,
  paymentReport,
  paymentRoleOf,
  tookMoney,
} from '../core/payment-reports.ts';
import { isUuid } from '../core/text.ts';
import { databaseTime } from '../db/database.ts';
import { queueEmails } from '../db/emails.ts';
import { recordFailedTransfer } from '../db/failed-transfers.ts';
import { findOrder, findOrderByPayment, type Order, paymentIdsOf } from '../db/orders.ts';
import { findEvent, markEventDead, markEventHandled, type PaymentEvent } from '../db/payment-events.ts';
import { RetryLater } from '../infra/retry.ts';
import { traceOrder } from '../infra/tracing.ts';
import type { AccountNotice, EventReading } from '../providers/gateway.ts';
import { captureApproved, isToCapture } from './capture-payment.ts';
import type { JobRun, OrderParts } from './parts.ts';
import { settleOrder } from './settle-order.ts';

/** How long a 404 may be a stale answer. Shorter than the 5 min after which SettlementLate fires. */
const MAX_MISSING_MS = 4 * 60_000;

/** How often an event is judged again because the order changed meanwhile, before its job is retried later. */
const MAX_ROUNDS = 4;

/** The event names an order of ours that does not exist: it is not committed yet, or was lost. */
export const ORDER_NOT_FOUND = 'order not found for payment';

/**
 * Applies a row of the inbox to its order, whatever its source: the only way in which payments change orders. Finds the
 * order, judges what the payment is to it, decides and writes; starts over if the order has changed.
 * @throws RetryLater while the order is not known, or keeps changing
 */
export async function applyPaymentEvent(
  parts: OrderParts,
  { eventId }: JobPayload<'apply-payment-event'>,
  run: JobRun,
): Promise<void> {
  const { event } = run;
  if (event?.status !== 'received') return run.complete();
  const reading = await readEvent(parts, event);
  if ('unknown' in reading) throw new RetryLater(reading.unknown);
  if ('missing' in reading) return ignoreMissing(parts, event, reading.missing, run);
  if ('ignored' in reading) return ignore(event, reading.ignored, run);
  if ('account' in reading) return recordAccountNotice(event, reading.account, run);

  for (let round = 1; round <= MAX_ROUNDS; round++) {
    const order =
      round === 1 && isOrderOf(run.order, event, reading.report)
        ? run.order
        : await findOrderOf(parts, event, reading.report);
    if (!order) return applyWithoutOrder(parts, event, reading.report, run);
    traceOrder(order.id);
    if ((await applyReport(parts, order, event, reading.report, run)) === 'applied') return;
    await sleep(Math.random() * 20 * round);
    // Another run of this job may have been first.
    if ((await findEvent(parts.db, eventId))?.status !== 'received') return run.complete();
  }
  throw new RetryLater(`order of event ${event.id} keeps changing`, 1_000);
}

/** Leaves the event in the inbox for an operator, as its order never became known. */
export async function onPaymentEventFailed(
  parts: OrderParts,
  { eventId }: JobPayload<'apply-payment-event'>,
  reason: string,
): Promise<void> {
  await markEventDead(parts.db, eventId, reason);
}

async function applyReport(
  parts: OrderParts,
  order: Order,
  event: PaymentEvent,
  report: PaymentReport,
  run: JobRun,
): Promise<'applied' | 'moved'> {
  const role = paymentRoleOf(order, report, event.provider);
  if (role === 'unrelated') {
    await ignoreUnrelated(order, event, report, run);
    return 'applied';
  }
  if (role === 'current' && isToCapture(order, report)) {
    await captureApproved(parts, order, event, report, run);
    return 'applied';
  }
  const outcome = await settleOrder(parts, order, report, role, { event, run });
  return outcome === 'saved' ? 'applied' : 'moved';
}

/** A provider's table of readers reads its webhooks; answers to our own questions were stored as reports. */
async function readEvent(parts: OrderParts, event: PaymentEvent): Promise<EventReading> {
  if (event.source !== 'webhook' && event.source !== 'backfill') {
    return { report: paymentReport.parse(event.payload) };
  }
  return parts.gateways[event.provider].readEvent(event.payload, {
    ask: (call) => call(),
    now: () => databaseTime(parts.db),
    warn: (message) => warnOnce(parts.logger, message),
    paymentIdsOf: async (orderId) => {
      const order = orderId && isUuid(orderId) ? await findOrder(parts.db, orderId) : undefined;
      return order ? paymentIdsOf(order) : [];
    },
  });
}

function warnOnce(logger: OrderParts['logger'], message: string): void {
  if (warned.has(message)) return;
  warned.add(message);
  logger.warn(message);
}

const warned = new Set<string>();

/** Whether {@link findOrderOf} would find this order, too. */
function isOrderOf(
  order: Order | undefined,
  event: PaymentEvent,
  { paymentId }: PaymentReport,
): order is Order {
  if (!order) return false;
  if (event.orderId) return order.id === event.orderId;
  return paymentId !== null && order.paymentIntentId === paymentId;
}

/** Finds the order by its payment, or by the order id on the payment: the event may precede the commit of its id. */
async function findOrderOf(
  { db }: OrderParts,
  event: PaymentEvent,
  { paymentId, metadata }: Pick<PaymentReport, 'paymentId' | 'metadata'>,
): Promise<Order | undefined> {
  if (event.orderId) return findOrder(db, event.orderId);
  const byPayment = paymentId ? await findOrderByPayment(db, paymentId) : undefined;
  if (byPayment || !metadata.orderId || !isUuid(metadata.orderId)) return byPayment;
  return findOrder(db, metadata.orderId);
}

/** Every payment of ours carries our name. One without it belongs to another application on this account. */
async function applyWithoutOrder(
  { config }: OrderParts,
  event: PaymentEvent,
  { paymentId, metadata }: PaymentReport,
  run: JobRun,
): Promise<void> {
  if (metadata.app !== OUR_APP) return ignore(event, 'belongs to another application on this account', run);
  if (metadata.deployment !== config.deployment) return ignore(event, 'belongs to another deployment', run);
  throw new RetryLater(`${ORDER_NOT_FOUND} ${paymentId}`);
}

/**
 * A 404 may be a stale answer, or mean that our credentials belong to another account. An event that names one of our orders
 * is never ignored: it is retried for a day, then dead-lettered. Any other may belong to another application on the account.
 */
async function ignoreMissing(
  parts: OrderParts,
  event: PaymentEvent,
  named: Pick<PaymentReport, 'paymentId' | 'metadata'>,
  run: JobRun,
): Promise<void> {
  const note = 'object not found at the provider';
  const isRecent = (await databaseTime(parts.db)) - event.receivedAt.getTime() < MAX_MISSING_MS;
  if (isRecent || (await findOrderOf(parts, event, named))) throw new RetryLater(note);
  return ignore(event, note, run);
}

async function ignore(event: PaymentEvent, note: string, run: JobRun): Promise<void> {
  await run.complete((trx) => markEventHandled(trx, event.id, { status: 'ignored', note }));
}

/** The payment names an order that has another payment. Staff are alerted if it took money. */
async function ignoreUnrelated(
  order: Order,
  event: PaymentEvent,
  report: PaymentReport,
  run: JobRun,
): Promise<void> {
  const { paymentId } = report;
  const needsStaff = tookMoney(report);
  run.logger.warn(
    { orderId: order.id, eventId: event.eventId, tookMoney: needsStaff },
    'payment does not belong to the order',
  );
  await run.complete(async (trx) => {
    const note = 'its metadata names an order that belongs to another payment';
    await markEventHandled(trx, event.id, { status: 'ignored', note, orderId: order.id });
    if (!needsStaff || !paymentId) return;
    const dedupeKey = `${order.id}:${paymentId}`;
    const params = { paymentId, provider: event.provider };
    await queueEmails(trx, [{ kind: 'review_alert', dedupeKey, params, orderId: order.id }]);
  });
}

/** Payouts are listed with the events; one that failed needs a person. */
async function recordAccountNotice(
  event: PaymentEvent,
  { kind, id: payoutId, ...details }: AccountNotice,
  run: JobRun,
): Promise<void> {
  await run.complete(async (trx) => {
    const amount = formatMoney(details.amount, details.currency);
    await markEventHandled(trx, event.id, { status: 'processed', note: `${kind}: ${payoutId}, ${amount}` });
    if (kind !== 'payout_failed') return;
    const { provider } = event;
    await recordFailedTransfer(trx, {
      kind: 'payout',
      provider,
      transferId: payoutId,
      orderId: null,
      ...details,
    });
    const params = { provider, payoutId, ...details };
    await queueEmails(trx, [{ kind: 'payout_failed_alert', dedupeKey: payoutId, params }]);
  });
}

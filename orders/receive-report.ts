import { createHash, randomUUID } from 'node:crypto';
import type { PaymentMethod } from '../core/orders.ts';
import { addsNothing, type PaymentFact } from '../core/payment-facts.ts';
import {
  type EventSource,
  factsFor,
  type PaymentReport,
  paymentReport,
  paymentRoleOf,
} from '../core/payment-reports.ts';
import type { Transaction } from '../db/database.ts';
import type { Order } from '../db/orders.ts';
import { type NewPaymentEvent, receiveEvent, receiveEventIn } from '../db/receive-event.ts';
import { requestIdOf } from '../db/unit-of-work.ts';
import { crashPoint } from '../infra/crash-point.ts';
import type { OrderParts } from './parts.ts';

interface Origin {
  source: EventSource;
  requestId: string;
  /** The reporting provider. Defaults to the order's own. */
  provider?: PaymentMethod;
  /** The operator's reason. */
  note?: string;
}

/** Our own report about the order rather than a payment: a cancellation or an operator's decision. */
export function ownReport({ id: orderId }: Order, fact: PaymentFact): PaymentReport {
  return { paymentId: null, metadata: { orderId }, facts: [fact] };
}

/** Stores a report in the inbox for the worker. False if it adds nothing to what the order knows. */
export async function receiveReport(
  { db, outbox }: Pick<OrderParts, 'db' | 'outbox'>,
  order: Order,
  report: PaymentReport,
  origin: Origin,
): Promise<boolean> {
  if (!isNews(order, report, origin.provider)) return false;
  crashPoint('before-report-commit');
  await receiveEvent({ db, outbox }, toEvent(order, report, origin));
  crashPoint('after-report-commit');
  return true;
}

/** {@link receiveReport} in the caller's transaction. Returns the inbox row's id, undefined if nothing was stored. */
export async function receiveReportIn(
  trx: Transaction,
  order: Order,
  report: PaymentReport,
  origin: Omit<Origin, 'requestId'>,
): Promise<string | undefined> {
  if (!isNews(order, report, origin.provider)) return undefined;
  const requestId = requestIdOf(trx) ?? randomUUID();
  return receiveEventIn(trx, toEvent(order, report, { ...origin, requestId }));
}

function isNews(order: Order, report: PaymentReport, provider = order.paymentMethod): boolean {
  const role = paymentRoleOf(order, report, provider);
  if (role === 'current' && report.paymentId !== order.paymentIntentId) return true;
  if (role === 'current' && report.stage === 'approved') return true;
  return !addsNothing(order.facts, factsFor(order, report, role));
}

/**
 * Derives the event id from content and order version: the same answer is stored once per version. An approval is stored
 * again by each check, as its capture may have failed.
 */
function toEvent(
  order: Order,
  report: PaymentReport,
  { source, requestId, provider, note }: Origin,
): NewPaymentEvent {
  const stored = paymentReport.parse(report);
  const check = report.stage === 'approved' ? [order.checks] : [];
  const content = JSON.stringify([order.id, order.version, stored, ...check], (key, value) =>
    key === 'observedAt' ? undefined : value,
  );
  return {
    provider: provider ?? order.paymentMethod,
    eventId: `report-${createHash('sha256').update(content).digest('hex').slice(0, 40)}`,
    type: 'payment.report',
    source,
    orderId: order.id,
    payload: JSON.stringify(stored),
    requestId,
    ...(note ? { note } : {}),
  };
}

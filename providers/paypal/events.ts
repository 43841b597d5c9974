import { z } from 'zod';
import type { PaymentReport } from '../../core/payment-reports.ts';
import type { EventReading } from '../gateway.ts';
import { isNotFound } from '../provider-error.ts';
import { isRecentEvent, staleDispute, staleRefund } from '../stale-answer.ts';
import {
  captureOfRefund,
  disputeOutcome,
  factOfRefund,
  factsOfCapture,
  isOurInvoice,
  metadataOf,
  orderOfCapture,
  orderOfInvoice,
} from './facts.ts';
import {
  type PaypalNames,
  paypalCapture,
  paypalDispute,
  paypalEvent,
  paypalNames,
  paypalRefund,
} from './resources.ts';

interface PaypalEventSource {
  report(paymentId: string): Promise<PaymentReport>;
  /** The report of the payment that a capture belongs to; undefined if PayPal does not say which. */
  reportOfCapture(captureId: string): Promise<PaymentReport | undefined>;
  reportOfDispute(
    disputeId: string,
  ): Promise<{ report: PaymentReport; updatedAt?: string | undefined } | undefined>;
}

/** `isRecent`: an answer of PayPal's may still be older than the event. */
type Reader = (source: PaypalEventSource, resource: unknown, isRecent: boolean) => Promise<EventReading>;

/**
 * Every event type that we act on and how it is read (https://developer.paypal.com/api/rest/webhooks/event-names/).
 * A completed capture is believed as it is; of everything else the event only names what to ask about. An approved
 * order is reported as such, and the use case that applies the report captures it.
 * No event reports a transfer to our own bank account: PAYMENT.PAYOUTS-ITEM.* are payments that one makes to others.
 */
export const readers: Record<string, Reader> = {
  'CHECKOUT.ORDER.APPROVED': async (source, resource) => ({ report: await source.report(idOf(resource)) }),
  'CHECKOUT.PAYMENT-APPROVAL.REVERSED': async (source, resource) => ({
    report: await source.report(z.object({ order_id: z.string() }).parse(resource).order_id),
  }),
  'PAYMENT.CAPTURE.COMPLETED': readCompleted,
  'PAYMENT.CAPTURE.PENDING': askAboutCapture,
  'PAYMENT.CAPTURE.DENIED': askAboutCapture,
  'PAYMENT.CAPTURE.DECLINED': askAboutCapture,
  'PAYMENT.CAPTURE.REFUNDED': askAboutRefund,
  'PAYMENT.CAPTURE.REVERSED': askAboutReversal,
  'PAYMENT.REFUND.PENDING': askAboutRefund,
  'PAYMENT.REFUND.FAILED': askAboutRefund,
  'CUSTOMER.DISPUTE.CREATED': askAboutDispute,
  'CUSTOMER.DISPUTE.UPDATED': askAboutDispute,
  'CUSTOMER.DISPUTE.RESOLVED': askAboutDispute,
};

export async function readPaypalEvent(source: PaypalEventSource, payload: unknown): Promise<EventReading> {
  const { event_type: type, resource, create_time: created = '' } = paypalEvent.parse(payload);
  const reader = readers[type];
  if (!reader) return { ignored: 'event type not handled' };
  try {
    return await reader(source, resource, isRecentEvent(Date.parse(created)));
  } catch (error) {
    if (!isNotFound(error)) throw error;
    return { missing: { paymentId: null, metadata: { orderId: firstOrderOf(paypalNames.parse(resource)) } } };
  }
}

/** The order that an event names, if it names one. */
export function orderNamedIn(resource: unknown): string | undefined {
  const names = paypalNames.safeParse(resource).data;
  return names && firstOrderOf(names);
}

/** `custom_id` comes last: in a refund by staff it holds the refund's key. */
function firstOrderOf({
  custom_id,
  invoice_id,
  disputed_transactions: disputed,
}: PaypalNames): string | undefined {
  const invoices = [invoice_id, ...disputed.map((transaction) => transaction.invoice_number)];
  const customs = [custom_id, ...disputed.map(({ custom }) => custom)];
  return [...invoices.map((id) => orderOfInvoice(id)), ...customs].find((id) => id !== undefined);
}

/** In a capture the ids of PayPal's order and of ours are optional (Payments v2); PayPal's order has both. */
async function readCompleted(source: PaypalEventSource, resource: unknown): Promise<EventReading> {
  const capture = paypalCapture.parse(resource);
  const paymentId = orderOfCapture(capture);
  if (!paymentId) return known(await source.reportOfCapture(capture.id), capture);
  const reported: PaymentReport = {
    paymentId,
    metadata: metadataOf(capture),
    facts: factsOfCapture(paymentId, capture, 0),
    stage: 'closed',
  };
  if (capture.custom_id) return { report: reported };
  const live = await source.reportOfCapture(capture.id).catch((error: unknown) => {
    if (isNotFound(error)) return undefined;
    throw error;
  });
  return { report: live ?? reported };
}

async function askAboutCapture(source: PaypalEventSource, resource: unknown): Promise<EventReading> {
  const { id, ...fields } = z.looseObject({ id: z.string() }).parse(resource);
  return known(await source.reportOfCapture(id), fields);
}

function askAboutRefund(source: PaypalEventSource, resource: unknown): Promise<EventReading> {
  return readRefund(source, resource, {});
}

/** Some reversals carry the capture itself instead of a refund. */
function askAboutReversal(source: PaypalEventSource, resource: unknown): Promise<EventReading> {
  return readRefund(source, resource, { isReversal: true });
}

async function readRefund(
  source: PaypalEventSource,
  resource: unknown,
  mark: { isReversal?: true },
): Promise<EventReading> {
  const refund = paypalRefund.parse(resource);
  const captureId = captureOfRefund(refund);
  const report = await source.reportOfCapture(captureId ?? refund.id);
  if (!report?.paymentId || !captureId) return known(report, refund);
  const fact = factOfRefund(report.paymentId, refund, 0, report.metadata.orderId);
  const stale = staleRefund('PayPal', fact, report.facts);
  return stale ?? { report: { ...report, facts: [{ ...fact, ...mark }, ...report.facts] } };
}

async function askAboutDispute(
  source: PaypalEventSource,
  resource: unknown,
  isRecent: boolean,
): Promise<EventReading> {
  const { dispute_id: disputeId } = z.object({ dispute_id: z.string() }).parse(resource);
  const { report, updatedAt = '' } = (await source.reportOfDispute(disputeId)) ?? {};
  const { data: dispute } = paypalDispute.safeParse(resource);
  // Decided again after an appeal, both are closed: their times say which is the older one
  // (https://developer.paypal.com/api/customer-disputes/v1/definitions/dispute_search, update_time).
  const isOlder = Date.parse(updatedAt) < Date.parse(dispute?.update_time ?? '');
  const event = { disputeId, isRecent, isOlder, ...(dispute && { outcome: disputeOutcome(dispute) }) };
  const stale = report && staleDispute('PayPal', event, report.facts);
  return stale ?? known(report, {});
}

function known(
  report: PaymentReport | undefined,
  resource: { custom_id?: unknown; invoice_id?: unknown },
): EventReading {
  if (report) return { report };
  if (typeof resource.invoice_id === 'string' && !isOurInvoice(resource.invoice_id)) {
    return { ignored: 'belongs to another application on this account' };
  }
  const { custom_id: orderId, invoice_id: invoiceId } = resource;
  return {
    unknown: `PayPal’s event names no order (custom id ${orderId ?? 'none'}, invoice ${invoiceId ?? 'none'})`,
  };
}

function idOf(resource: unknown): string {
  return z.object({ id: z.string() }).parse(resource).id;
}

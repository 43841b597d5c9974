import { Stripe } from 'stripe';
import { sum } from '../../core/order-money.ts';
import type { PaymentReport } from '../../core/payment-reports.ts';
import type { AccountNotice, EventReading } from '../gateway.ts';
import { isNotFound, ProviderError } from '../provider-error.ts';
import { isRecentEvent, staleDispute, staleRefund } from '../stale-answer.ts';
import { factOfRefund, factsOfIntent, outcomeOf, stageOf } from './facts.ts';
import {
  idOf,
  ofPayment,
  refundedCharge,
  stripeDispute,
  stripeEvent,
  stripeIntent,
  stripePayout,
  stripeRefund,
} from './resources.ts';

interface StripeEventSource {
  livemode: boolean;
  warn(message: string): void;
  /** `withDisputes`: lists disputes even if the charge is not marked as disputed. */
  report(paymentId: string, options?: { withDisputes: boolean }): Promise<PaymentReport>;
}

/** `isOurVersion`: rendered in our API version. `isRecent`: an answer of Stripe's may still be older than the event. */
interface Copy {
  isOurVersion: boolean;
  isRecent: boolean;
}

type Reader = (source: StripeEventSource, object: unknown, copy: Copy) => Promise<EventReading>;

/**
 * Every event type that we act on and how it is read. A success is believed as it is, since money taken stays taken. Where
 * the order of arrival matters, the event only names what to ask Stripe about.
 */
export const readers: Record<string, Reader> = {
  'payment_intent.succeeded': readSuccess,
  'payment_intent.processing': askAboutIntent,
  'payment_intent.requires_action': askAboutIntent,
  'payment_intent.payment_failed': askAboutIntent,
  'payment_intent.canceled': askAboutIntent,
  'charge.refunded': askAboutCharge,
  'charge.refund.updated': askAboutRefund,
  'refund.created': askAboutRefund,
  'refund.updated': askAboutRefund,
  'refund.failed': askAboutRefund,
  'charge.dispute.created': askAboutDispute,
  'charge.dispute.updated': askAboutDispute,
  'charge.dispute.closed': askAboutDispute,
  'charge.dispute.funds_withdrawn': askAboutDispute,
  'charge.dispute.funds_reinstated': askAboutDispute,
  'radar.early_fraud_warning.created': alert('fraud_warning', 'fraud_type'),
  'review.opened': alert('review', 'reason'),
  'payout.created': readPayout('payout_pending'),
  'payout.paid': readPayout('payout_paid'),
  'payout.failed': readPayout('payout_failed'),
};

export async function readStripeEvent(source: StripeEventSource, payload: unknown): Promise<EventReading> {
  const event = stripeEvent.parse(payload);
  if (event.object === 'v2.core.event') return { ignored: 'a thin event (v2)' };
  const reader = readers[event.type];
  if (!reader) return { ignored: 'event type not handled' };
  if (event.livemode !== undefined && event.livemode !== source.livemode) {
    return { ignored: `livemode mismatch with our key: ${event.livemode ? 'live' : 'test'} event` };
  }
  const isOurVersion = !event.api_version || event.api_version === Stripe.API_VERSION;
  if (!isOurVersion) {
    source.warn(
      `Stripe sends events of API version ${event.api_version}; create the webhook endpoint with ${Stripe.API_VERSION}`,
    );
  }
  const isRecent = isRecentEvent(Number(event.created ?? 0) * 1_000);
  const object = event.data?.object;
  try {
    return await reader(source, object, { isOurVersion, isRecent });
  } catch (error) {
    if (!isNotFound(error)) throw error;
    const { id, payment_intent } = ofPayment.parse(object);
    return { missing: { paymentId: idOf(payment_intent) ?? id, metadata: {} } };
  }
}

/**
 * An event is rendered in the endpoint's API version, not in ours, and a copy made at once may lack `latest_charge`
 * (https://github.com/stripe/stripe-java/issues/1482): then Stripe is asked too. The event's own money counts anyway.
 */
async function readSuccess(
  source: StripeEventSource,
  object: unknown,
  { isOurVersion }: Copy,
): Promise<EventReading> {
  const parsed = stripeIntent.safeParse(object);
  if (!parsed.success) return askAboutIntent(source, object);
  const intent = parsed.data;
  const report: PaymentReport = {
    paymentId: intent.id,
    metadata: intent.metadata ?? {},
    facts: factsOfIntent(intent, 0),
    stage: stageOf(intent),
  };
  if (isOurVersion && intent.latest_charge) return { report };
  try {
    const live = await source.report(intent.id);
    return {
      report: {
        ...report,
        metadata: { ...live.metadata, ...report.metadata },
        facts: [...report.facts, ...live.facts],
      },
    };
  } catch (error) {
    if (error instanceof ProviderError) return { report };
    throw error;
  }
}

async function askAboutIntent(source: StripeEventSource, object: unknown): Promise<EventReading> {
  return { report: await source.report(ofPayment.parse(object).id) };
}

/**
 * `charge.refunded` carries the charge, and since 2022-11-15 none of its refunds
 * (https://docs.stripe.com/changelog/2022-11-15/deprecates-charges-auto-expand); `refund.created`, `refund.updated` and
 * `refund.failed` carry one refund each
 * (https://docs.stripe.com/changelog/acacia/2024-10-28/refund-webhook-update). All of them only name the payment, whose
 * refunds are read together: several refunds of a part come in any order.
 */
async function askAboutPayment(source: StripeEventSource, object: unknown): Promise<EventReading> {
  const paymentId = idOf(ofPayment.parse(object).payment_intent);
  if (!paymentId) return { ignored: 'not of a PaymentIntent' };
  return { report: await source.report(paymentId) };
}

/** The only event of a refund in API versions before 2024-10-28. It names the sum of the refunds. */
async function askAboutCharge(
  source: StripeEventSource,
  object: unknown,
  { isRecent }: Copy,
): Promise<EventReading> {
  const reading = await askAboutPayment(source, object);
  const { data: charge } = refundedCharge.safeParse(object);
  if (!('report' in reading) || !charge || !isRecent) return reading;
  const { paymentId, facts } = reading.report;
  const listed = facts.flatMap((fact) => (fact.kind === 'refund' ? [fact.amount] : []));
  if (sum(listed) >= charge.amount_refunded) return reading;
  return { unknown: `Stripe does not show all refunds of ${paymentId} yet` };
}

/** A retrieve may be older than the event, as seen of a charge (https://github.com/stripe/stripe-java/issues/1482). */
async function askAboutRefund(
  source: StripeEventSource,
  object: unknown,
  { isRecent }: Copy,
): Promise<EventReading> {
  const reading = await askAboutPayment(source, object);
  const { data: refund } = stripeRefund.safeParse(object);
  if (!('report' in reading) || !refund) return reading;
  const { paymentId, facts } = reading.report;
  const isListed = facts.some((fact) => fact.kind === 'refund' && fact.refundId === refund.id);
  if (!isListed && isRecent) return { unknown: `Stripe does not show refund ${refund.id} yet` };
  return staleRefund('Stripe', factOfRefund(paymentId ?? '', refund, 0), facts) ?? reading;
}

/** The charge may not show that it is disputed, so disputes are listed. */
async function askAboutDispute(
  source: StripeEventSource,
  object: unknown,
  { isRecent }: Copy,
): Promise<EventReading> {
  const { id, payment_intent } = ofPayment.parse(object);
  const paymentId = idOf(payment_intent);
  if (!paymentId) return { ignored: 'not of a PaymentIntent' };
  const report = await source.report(paymentId, { withDisputes: true });
  const { data: dispute } = stripeDispute.safeParse(object);
  const event = { disputeId: id, isRecent, ...(dispute && { outcome: outcomeOf(dispute) }) };
  return staleDispute('Stripe', event, report.facts) ?? { report };
}

function alert(kind: 'fraud_warning' | 'review', detail: string): Reader {
  return async (source, object) => {
    const { id, payment_intent } = ofPayment.parse(object);
    const paymentId = idOf(payment_intent);
    if (!paymentId) return { ignored: 'not of a PaymentIntent' };
    const report = await source.report(paymentId);
    const why = (object as Record<string, unknown>)[detail];
    return {
      report: { ...report, alerts: [{ kind, id, paymentId, detail: typeof why === 'string' ? why : '' }] },
    };
  };
}

function readPayout(kind: AccountNotice['kind']): Reader {
  return async (_source, object) => {
    // In the currency of our bank account, not of the buyers.
    const { id, amount, currency, failure_message: reason } = stripePayout.parse(object);
    return { account: { kind, id, amount, currency: currency.toUpperCase(), reason: reason ?? null } };
  };
}

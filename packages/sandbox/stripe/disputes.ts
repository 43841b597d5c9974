import type Stripe from 'stripe';
import { newId, unixNow } from '../ids.ts';
import type { StripeContext } from './context.ts';
import { resourceMissing, StripeApiError } from './errors.ts';
import type { StripeState } from './state.ts';

const DAY_S = 86_400;
const RESPONSE_TIME_S = 7 * DAY_S;
const FEE = 1_500;

/** `prevented`: resolved before it became a chargeback, as by Rapid Dispute Resolution. */
export const disputeOutcomes = ['won', 'lost', 'prevented'] as const;
type DisputeOutcome = (typeof disputeOutcomes)[number];

/**
 * An inquiry withdraws nothing, and a full refund ends it (https://docs.stripe.com/disputes/how-disputes-work). A bank may
 * dispute the whole payment although a part was refunded (`ofAll`).
 */
export function openDispute(
  ctx: StripeContext,
  charge: Stripe.Charge,
  reason: string,
  { isInquiry = false, ofAll = false, dueInDays = RESPONSE_TIME_S / DAY_S } = {},
): Stripe.Dispute {
  if (!charge.paid || charge.disputed) throw refused(`Charge ${charge.id} cannot be disputed (again).`);
  const id = newId('dp');
  const amount = charge.amount - (ofAll ? 0 : charge.amount_refunded);
  const isDebit = isBankDebit(charge);
  const dispute: Stripe.Dispute = {
    id,
    object: 'dispute',
    amount,
    balance_transactions: [],
    charge: charge.id,
    created: unixNow(),
    currency: charge.currency,
    enhanced_eligibility_types: [],
    evidence: { ...noEvidence },
    evidence_details: {
      due_by: isDebit ? 0 : unixNow() + dueInDays * DAY_S,
      enhanced_eligibility: {},
      has_evidence: false,
      past_due: false,
      submission_count: 0,
      submission_method: 'not_submitted',
    },
    intended_submission_method: null,
    is_charge_refundable: isInquiry,
    livemode: false,
    metadata: {},
    payment_intent: charge.payment_intent,
    ...(!isDebit && { payment_method_details: cardDetails(isInquiry) }),
    reason,
    status: isInquiry ? 'warning_needs_response' : 'needs_response',
  };
  charge.disputed = true;
  if (!isInquiry) book(dispute, amount);
  ctx.state.disputes.set(id, dispute);
  ctx.events.emit('charge.dispute.created', dispute);
  if (!isInquiry) ctx.events.emit('charge.dispute.funds_withdrawn', dispute);
  return dispute;
}

/**
 * The bank returns the debit of a payment that had succeeded, all of it, and for good: `due_by` is 0 if no response is
 * allowed (https://docs.stripe.com/api/disputes/object).
 */
export function returnDebit(ctx: StripeContext, charge: Stripe.Charge, reason: string): Stripe.Dispute {
  if (!isBankDebit(charge)) throw refused(`Charge ${charge.id} is no bank debit.`);
  const { id } = openDispute(ctx, charge, reason, { ofAll: true });
  return closeDispute(ctx, id, 'lost');
}

function isBankDebit({ payment_method_details: details }: Stripe.Charge): boolean {
  return details?.type === 'us_bank_account';
}

function cardDetails(isInquiry: boolean): Stripe.Dispute.PaymentMethodDetails {
  return {
    card: {
      brand: 'visa',
      case_type: isInquiry ? 'inquiry' : 'chargeback',
      network: 'visa',
      network_reason_code: '10.4',
    },
    type: 'card',
  };
}

/** Ends the inquiries of a charge that was refunded in full. */
export function closeInquiries(ctx: StripeContext, charge: Stripe.Charge): void {
  for (const dispute of ctx.state.disputes.values()) {
    if (dispute.charge === charge.id && isInquiry(dispute)) closeInquiry(ctx, dispute);
  }
}

function closeInquiry(ctx: StripeContext, dispute: Stripe.Dispute): Stripe.Dispute {
  dispute.status = 'warning_closed';
  ctx.events.emit('charge.dispute.closed', dispute);
  return dispute;
}

function isInquiry({ status }: Stripe.Dispute): boolean {
  return status === 'warning_needs_response' || status === 'warning_under_review';
}

/** The bank turns it into a chargeback. */
export function escalateInquiry(ctx: StripeContext, id: string): Stripe.Dispute {
  const dispute = findDispute(ctx.state, id);
  if (!isInquiry(dispute)) throw refused(`This dispute is ${dispute.status}.`);
  dispute.status = 'needs_response';
  dispute.is_charge_refundable = false;
  dispute.evidence_details.due_by = unixNow() + RESPONSE_TIME_S;
  book(dispute, dispute.amount);
  ctx.events.emit('charge.dispute.updated', dispute);
  ctx.events.emit('charge.dispute.funds_withdrawn', dispute);
  return dispute;
}

const afterEvidence = new Map<Stripe.Dispute.Status, Stripe.Dispute.Status>([
  ['needs_response', 'under_review'],
  ['warning_needs_response', 'warning_under_review'],
  ['appeal_needs_response', 'appeal_under_review'],
]);

/** What the seller does in the dashboard: the bank decides from then on. */
export function submitEvidence(ctx: StripeContext, id: string): Stripe.Dispute {
  const dispute = findDispute(ctx.state, id);
  const next = afterEvidence.get(dispute.status);
  if (!next) throw refused(`This dispute is ${dispute.status}.`);
  if (dispute.evidence_details.due_by === 0) throw refused('This dispute cannot be challenged.');
  dispute.status = next;
  Object.assign(dispute.evidence_details, { has_evidence: true, submission_count: 1 });
  ctx.events.emit('charge.dispute.updated', dispute);
  return dispute;
}

/** `returned`: cents that a partly won dispute returns to us; its status is still `lost`. */
export function closeDispute(
  ctx: StripeContext,
  id: string,
  outcome: DisputeOutcome,
  returned = 0,
): Stripe.Dispute {
  const dispute = findDispute(ctx.state, id);
  const { status } = dispute;
  if (isInquiry(dispute) && outcome === 'won') return closeInquiry(ctx, dispute);
  if (status === outcome || status.startsWith('warning')) throw refused(`This dispute is ${status}.`);
  dispute.status = outcome;
  book(dispute, outcome === 'won' ? 0 : dispute.amount - returned);
  if (outcome === 'won' || returned > 0) ctx.events.emit('charge.dispute.funds_reinstated', dispute);
  else if (status === 'won') ctx.events.emit('charge.dispute.funds_withdrawn', dispute);
  ctx.events.emit('charge.dispute.closed', dispute);
  const turn = ctx.behaviors.consume('stripe-dispute-turn', id);
  ctx.later(turn?.ms, () => {
    if (dispute.status === outcome) closeDispute(ctx, id, outcome === 'won' ? 'lost' : 'won');
    ctx.touch();
  });
  return dispute;
}

/** The bank's decision may be appealed: evidence is due again. */
export function offerAppeal(ctx: StripeContext, id: string): Stripe.Dispute {
  const dispute = findDispute(ctx.state, id);
  if (dispute.status !== 'lost') throw refused(`This dispute is ${dispute.status}.`);
  dispute.status = 'appeal_needs_response';
  Object.assign(dispute.evidence_details, { due_by: unixNow() + 2 * RESPONSE_TIME_S, has_evidence: false });
  ctx.events.emit('charge.dispute.updated', dispute);
  return dispute;
}

const closed = new Set<Stripe.Dispute.Status>([...disputeOutcomes, 'warning_closed']);

/** A payment's dispute as `GET /v1/disputes` shows it. */
export function listedDispute(ctx: StripeContext, dispute: Stripe.Dispute): Stripe.Dispute {
  if (!closed.has(dispute.status)) return dispute;
  if (!ctx.behaviors.consume('stripe-late-outcome', String(dispute.payment_intent))) return dispute;
  return {
    ...dispute,
    status: dispute.status === 'warning_closed' ? 'warning_needs_response' : 'needs_response',
  };
}

export function findDispute(state: StripeState, id: string): Stripe.Dispute {
  const dispute = state.disputes.get(id);
  if (!dispute) throw resourceMissing('dispute', id);
  return dispute;
}

/** Moves money on our account until the dispute has taken these cents in total. */
function book(dispute: Stripe.Dispute, taken: number): void {
  const { id, currency, balance_transactions: moved } = dispute;
  const amount = -taken - moved.reduce((sum, transaction) => sum + transaction.amount, 0);
  if (amount === 0) return;
  const fee = amount < 0 ? FEE : 0;
  moved.push({
    id: newId('txn'),
    object: 'balance_transaction',
    amount,
    available_on: unixNow(),
    balance_type: 'payments',
    created: unixNow(),
    currency,
    description: `Dispute ${id}`,
    exchange_rate: null,
    fee,
    fee_details: fee
      ? [{ amount: fee, application: null, currency, description: 'Dispute fee', type: 'stripe_fee' }]
      : [],
    net: amount - fee,
    reporting_category: 'dispute',
    source: id,
    status: 'available',
    type: 'adjustment',
  });
}

function refused(message: string): StripeApiError {
  return new StripeApiError(400, { type: 'invalid_request_error', message });
}

const noEvidence: Stripe.Dispute.Evidence = {
  access_activity_log: null,
  billing_address: null,
  cancellation_policy: null,
  cancellation_policy_disclosure: null,
  cancellation_rebuttal: null,
  customer_communication: null,
  customer_email_address: null,
  customer_name: null,
  customer_purchase_ip: null,
  customer_signature: null,
  duplicate_charge_documentation: null,
  duplicate_charge_explanation: null,
  duplicate_charge_id: null,
  enhanced_evidence: {},
  product_description: null,
  receipt: null,
  refund_policy: null,
  refund_policy_disclosure: null,
  refund_refusal_explanation: null,
  service_date: null,
  service_documentation: null,
  shipping_address: null,
  shipping_carrier: null,
  shipping_date: null,
  shipping_documentation: null,
  shipping_tracking_number: null,
  uncategorized_file: null,
  uncategorized_text: null,
};

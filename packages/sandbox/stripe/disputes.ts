import type Stripe from 'stripe';
import { newId, unixNow } from '../ids.ts';
import type { StripeContext } from './context.ts';
import { resourceMissing, StripeApiError } from './errors.ts';
import type { StripeState } from './state.ts';

const RESPONSE_TIME_S = 7 * 86_400;

/** `prevented`: resolved before it became a chargeback, as by Rapid Dispute Resolution. */
export const disputeOutcomes = ['won', 'lost', 'prevented'] as const;
type DisputeOutcome = (typeof disputeOutcomes)[number];

export function openDispute(ctx: StripeContext, charge: Stripe.Charge, reason: string): Stripe.Dispute {
  if (!charge.paid || charge.disputed) throw refused(`Charge ${charge.id} cannot be disputed (again).`);
  const id = newId('dp');
  const amount = charge.amount - charge.amount_refunded;
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
      due_by: unixNow() + RESPONSE_TIME_S,
      enhanced_eligibility: {},
      has_evidence: false,
      past_due: false,
      submission_count: 0,
      submission_method: 'not_submitted',
    },
    intended_submission_method: null,
    is_charge_refundable: false,
    livemode: false,
    metadata: {},
    payment_intent: charge.payment_intent,
    payment_method_details: {
      card: { brand: 'visa', case_type: 'chargeback', network: 'visa', network_reason_code: '10.4' },
      type: 'card',
    },
    reason,
    status: 'needs_response',
  };
  charge.disputed = true;
  ctx.state.disputes.set(id, dispute);
  ctx.events.emit('charge.dispute.created', dispute);
  ctx.events.emit('charge.dispute.funds_withdrawn', dispute);
  return dispute;
}

/** What the seller does in the dashboard: the bank decides from then on. */
export function submitEvidence(ctx: StripeContext, id: string): Stripe.Dispute {
  const dispute = findDispute(ctx.state, id);
  const { status } = dispute;
  if (status !== 'needs_response' && status !== 'appeal_needs_response')
    throw refused(`This dispute is ${status}.`);
  dispute.status = status === 'needs_response' ? 'under_review' : 'appeal_under_review';
  Object.assign(dispute.evidence_details, { has_evidence: true, submission_count: 1 });
  ctx.events.emit('charge.dispute.updated', dispute);
  return dispute;
}

export function closeDispute(ctx: StripeContext, id: string, outcome: DisputeOutcome): Stripe.Dispute {
  const dispute = findDispute(ctx.state, id);
  const { status } = dispute;
  if (status === outcome) throw refused(`This dispute is already ${status}.`);
  dispute.status = outcome;
  if (outcome === 'prevented') dispute.balance_transactions = [withdrawal(dispute)];
  if (outcome === 'won') ctx.events.emit('charge.dispute.funds_reinstated', dispute);
  else if (status === 'won') ctx.events.emit('charge.dispute.funds_withdrawn', dispute);
  ctx.events.emit('charge.dispute.closed', dispute);
  const turn = ctx.behaviours.consume('stripe-dispute-turn', id);
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

export function findDispute(state: StripeState, id: string): Stripe.Dispute {
  const dispute = state.disputes.get(id);
  if (!dispute) throw resourceMissing('dispute', id);
  return dispute;
}

function withdrawal({ id, amount, currency }: Stripe.Dispute): Stripe.BalanceTransaction {
  return {
    id: newId('txn'),
    object: 'balance_transaction',
    amount: -amount,
    available_on: unixNow(),
    balance_type: 'payments',
    created: unixNow(),
    currency,
    description: `Dispute ${id}`,
    exchange_rate: null,
    fee: 0,
    fee_details: [],
    net: -amount,
    reporting_category: 'dispute',
    source: id,
    status: 'available',
    type: 'adjustment',
  };
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

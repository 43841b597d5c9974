import type Stripe from 'stripe';
import { newId, unixNow } from '../ids.ts';
import type { EventCause, StripeContext } from './context.ts';
import { closeInquiries } from './disputes.ts';
import {
  parameterInvalid,
  parameterMissing,
  refusedRefund,
  resourceMissing,
  StripeApiError,
  unknownError,
} from './errors.ts';
import { noCause } from './events.ts';
import { allowOnly, mergeMetadata, optionalInteger, optionalText, type Params } from './params.ts';
import type { StripeState } from './state.ts';

export const refundOutcomes = ['succeeded', 'failed', 'canceled'] as const;
type RefundOutcome = (typeof refundOutcomes)[number];

const REASONS = ['duplicate', 'fraudulent', 'requested_by_customer'];

export function createRefund(ctx: StripeContext, params: Params, cause: EventCause): Stripe.Refund {
  const { id, payment_intent } = chargeToRefund(ctx.state, params);
  const unconfirmed = ctx.behaviors.consume('stripe-unconfirmed-refund', `${id} ${payment_intent}`);
  if (!unconfirmed) return makeRefund(ctx, params, cause);
  ctx.later(unconfirmed.ms, () => {
    rollForward(() => makeRefund(ctx, params, cause));
    ctx.touch();
  });
  throw unknownError();
}

/** Completes a request that was answered with a 500, if that is still possible. */
function rollForward(work: () => unknown): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof StripeApiError)) throw error;
  }
}

function makeRefund(ctx: StripeContext, params: Params, cause: EventCause): Stripe.Refund {
  allowOnly(params, ['charge', 'payment_intent', 'amount', 'reason', 'metadata', 'expand']);
  const charge = chargeToRefund(ctx.state, params);
  const left = charge.amount - charge.amount_refunded;
  if (left === 0) {
    throw refusedRefund(`Charge ${charge.id} has already been refunded.`, 'charge_already_refunded');
  }
  if (charge.disputed && disputeBlocks(ctx.state, charge)) {
    throw refusedRefund(
      `Charge ${charge.id} has been charged back; cannot issue a refund.`,
      'charge_disputed',
    );
  }
  const amount = optionalInteger(params, 'amount') ?? left;
  if (amount < 1) {
    throw parameterInvalid(
      'amount',
      'This value must be greater than or equal to 1.',
      'parameter_invalid_integer',
    );
  }
  if (amount > left) {
    throw refusedRefund(
      `Refund amount (${dollars(amount)}) is greater than unrefunded amount on charge (${dollars(left)})`,
    );
  }
  const pending = ctx.behaviors.consume('stripe-pending-refund', `${charge.id} ${charge.payment_intent}`);
  const refund = newRefund(ctx.state, charge, amount, params);
  if (pending) refund.status = 'pending';
  countRefund(charge, amount);
  charge.refunds?.data.unshift(refund);
  lastChanges.set(charge, { id: refund.id, before: undefined });
  ctx.events.emit('refund.created', refund, cause);
  ctx.events.emit('charge.refunded', charge, cause, { amount_refunded: charge.amount_refunded - amount });
  if (amount === left) closeInquiries(ctx, charge);
  if (pending) {
    ctx.later(pending.ms, () => {
      if (refund.status === 'pending') settleRefund(ctx, refund.id, pending.value as RefundOutcome);
      ctx.touch();
    });
  }
  return refund;
}

/** Ends a pending refund, or fails a succeeded one. The money of a failed or canceled refund is back on the account. */
export function settleRefund(ctx: StripeContext, id: string, outcome: RefundOutcome): Stripe.Refund {
  const refund = findRefund(ctx.state, id);
  const charge = ctx.state.charges.get(String(refund.charge));
  const { status } = refund;
  const failsLater = status === 'succeeded' && outcome === 'failed';
  if (!charge || (status !== 'pending' && !failsLater))
    throw refusedRefund(`Refund ${id} is already ${status}.`);
  refund.status = outcome;
  lastChanges.set(charge, { id, before: status });
  if (outcome !== 'succeeded') countRefund(charge, -refund.amount);
  if (outcome === 'failed') {
    refund.failure_reason = 'lost_or_stolen_card';
    refund.failure_balance_transaction = newId('txn');
    ctx.events.emit('refund.failed', refund, noCause);
  }
  ctx.events.emit('refund.updated', refund, noCause, { status });
  ctx.events.emit('charge.refund.updated', refund, noCause, { status });
  return refund;
}

/** The refund that changed last, and its status before; none if it is new. */
const lastChanges = new WeakMap<Stripe.Charge, { id: string; before: string | null | undefined }>();

/** The charge's refunds before the last change. */
export function earlierRefunds(charge: Stripe.Charge): Stripe.Refund[] {
  const change = lastChanges.get(charge);
  return (charge.refunds?.data ?? []).flatMap((refund) => {
    if (refund.id !== change?.id) return [refund];
    return change.before ? [{ ...refund, status: change.before }] : [];
  });
}

export function findRefund(state: StripeState, id: string): Stripe.Refund {
  const refund = state.refunds.get(id);
  if (!refund) throw resourceMissing('refund', id);
  return refund;
}

function chargeToRefund(state: StripeState, params: Params): Stripe.Charge {
  const chargeId = optionalText(params, 'charge');
  const intentId = optionalText(params, 'payment_intent');
  if (chargeId) {
    const charge = state.charges.get(chargeId);
    if (!charge?.paid) throw resourceMissing('charge', chargeId, 'charge');
    return charge;
  }
  if (!intentId) throw parameterMissing('payment_intent');
  const intent = state.paymentIntents.get(intentId);
  if (!intent) throw resourceMissing('payment_intent', intentId, 'payment_intent');
  const charge = state.charges.get(String(intent.latest_charge));
  if (!charge?.paid)
    throw refusedRefund(`This PaymentIntent (${intentId}) does not have a successful charge to refund.`);
  return charge;
}

function newRefund(state: StripeState, charge: Stripe.Charge, amount: number, params: Params): Stripe.Refund {
  const reason = optionalText(params, 'reason');
  if (reason && !REASONS.includes(reason)) {
    throw parameterInvalid('reason', `Invalid reason: must be one of ${REASONS.join(', ')}`);
  }
  const id = newId('re');
  const refund: Stripe.Refund = {
    id,
    object: 'refund',
    amount,
    balance_transaction: newId('txn'),
    charge: charge.id,
    created: unixNow(),
    currency: charge.currency,
    customer: null,
    customer_account: null,
    destination_details: {
      card: { reference_status: 'pending', reference_type: 'acquirer_reference_number', type: 'refund' },
      type: 'card',
    },
    metadata: mergeMetadata({}, params),
    payment_intent: charge.payment_intent,
    payment_method: charge.payment_method,
    reason: reason ?? null,
    receipt_number: null,
    source_transfer_reversal: null,
    status: 'succeeded',
    transfer_reversal: null,
  };
  state.refunds.set(id, refund);
  return refund;
}

function countRefund(charge: Stripe.Charge, amount: number): void {
  charge.amount_refunded += amount;
  charge.refunded = charge.amount_refunded === charge.amount;
}

function disputeBlocks(state: StripeState, charge: Stripe.Charge): boolean {
  for (const dispute of state.disputes.values()) {
    if (dispute.charge === charge.id && dispute.status !== 'won' && !dispute.is_charge_refundable)
      return true;
  }
  return false;
}

function dollars(cents: number): string {
  return `$${(cents / 100).toFixed(2)}`;
}

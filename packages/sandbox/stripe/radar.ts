import type Stripe from 'stripe';
import { newId, unixNow } from '../ids.ts';
import type { StripeContext } from './context.ts';
import { resourceMissing } from './errors.ts';

/** What Stripe reports about a payment and its account after the success. */
export function watchAfterwards(
  ctx: StripeContext,
  intent: Stripe.PaymentIntent,
  charge: Stripe.Charge,
): void {
  if (ctx.behaviors.consume('stripe-fraud-warning', intent.id)) warnOfFraud(ctx, charge);
  const review = ctx.behaviors.consume('stripe-review', intent.id);
  if (review) {
    const { id } = openReview(ctx, charge);
    ctx.later(review.ms, () => {
      closeReview(ctx, id, 'approved');
      ctx.touch();
    });
  }
  if (ctx.behaviors.consume('stripe-failed-payout', intent.id)) payOut(ctx, intent.amount, 'failed');
}

export function warnOfFraud(ctx: StripeContext, charge: Stripe.Charge): Stripe.Radar.EarlyFraudWarning {
  const warning: Stripe.Radar.EarlyFraudWarning = {
    id: newId('issfr'),
    object: 'radar.early_fraud_warning',
    actionable: true,
    charge: charge.id,
    created: unixNow(),
    fraud_type: 'made_with_stolen_card',
    livemode: false,
    payment_intent: String(charge.payment_intent),
  };
  ctx.events.emit('radar.early_fraud_warning.created', warning);
  return warning;
}

export function openReview(ctx: StripeContext, charge: Stripe.Charge): Stripe.Review {
  const review: Stripe.Review = {
    id: newId('prv'),
    object: 'review',
    billing_zip: null,
    charge: charge.id,
    closed_reason: null,
    created: unixNow(),
    ip_address: null,
    ip_address_location: null,
    livemode: false,
    open: true,
    opened_reason: 'rule',
    payment_intent: String(charge.payment_intent),
    reason: 'rule',
    session: null,
  };
  ctx.state.reviews.set(review.id, review);
  ctx.events.emit('review.opened', review);
  return review;
}

export function closeReview(
  ctx: StripeContext,
  id: string,
  reason: (typeof closedReasons)[number],
): Stripe.Review {
  const review = ctx.state.reviews.get(id);
  if (!review) throw resourceMissing('review', id);
  review.open = false;
  review.reason = reason;
  review.closed_reason = reason;
  ctx.events.emit('review.closed', review);
  return review;
}

export const closedReasons = ['approved', 'refunded', 'refunded_as_fraud', 'disputed'] as const;

/** A transfer of the balance to the bank account. */
export function payOut(ctx: StripeContext, amount: number, status: 'paid' | 'failed'): Stripe.Payout {
  const payout: Stripe.Payout = {
    id: newId('po'),
    object: 'payout',
    amount,
    application_fee: null,
    application_fee_amount: null,
    arrival_date: unixNow(),
    automatic: true,
    balance_transaction: newId('txn'),
    created: unixNow(),
    currency: 'usd',
    description: 'STRIPE PAYOUT',
    destination: newId('ba'),
    failure_balance_transaction: null,
    failure_code: null,
    failure_message: null,
    livemode: false,
    metadata: {},
    method: 'standard',
    original_payout: null,
    payout_method: null,
    reconciliation_status: 'completed',
    reversed_by: null,
    source_type: 'card',
    statement_descriptor: null,
    status: 'in_transit',
    trace_id: null,
    type: 'bank_account',
  };
  ctx.events.emit('payout.created', payout);
  payout.status = status;
  if (status === 'failed') {
    payout.failure_code = 'account_closed';
    payout.failure_message = 'The bank account has been closed.';
    payout.failure_balance_transaction = newId('txn');
  }
  ctx.events.emit(`payout.${status}`, payout);
  return payout;
}

import type Stripe from 'stripe';
import { unixNow } from '../ids.ts';
import { failAttempt, succeed } from './attempts.ts';
import { addCharge, settleCharge } from './charges.ts';
import type { EventCause, StripeContext } from './context.ts';
import { unexpectedState } from './errors.ts';
import { noCause } from './events.ts';
import { takePaymentMethod } from './payment-methods.ts';
import type { Decline } from './test-cards.ts';

const MICRODEPOSITS_TAKE_S = 2 * 86_400;

export function startProcessing(
  ctx: StripeContext,
  intent: Stripe.PaymentIntent,
  method: Stripe.PaymentMethod,
  cause: EventCause,
): Stripe.PaymentIntent {
  const charge = addCharge(ctx.state, intent, method, { status: 'pending' }, false);
  intent.status = 'processing';
  intent.latest_charge = charge.id;
  ctx.events.emit('charge.pending', charge, cause);
  ctx.events.emit('payment_intent.processing', intent, cause);
  return intent;
}

/** Ends a payment that is `processing`, as the bank would days later. */
export function settleProcessing(ctx: StripeContext, intent: Stripe.PaymentIntent, succeeded: boolean): void {
  const charge = ctx.state.charges.get(String(intent.latest_charge));
  if (intent.status !== 'processing' || !charge) {
    throw unexpectedState(`This PaymentIntent is not processing but ${intent.status}.`, intent);
  }
  if (succeeded) {
    settleCharge(charge);
    succeed(ctx, intent, charge, noCause);
    return;
  }
  charge.status = 'failed';
  charge.failure_code = 'payment_method_provider_decline';
  charge.failure_message = bankRefused.message;
  ctx.events.emit('charge.failed', charge);
  failAttempt(
    ctx,
    intent,
    takePaymentMethod(ctx.state, String(intent.payment_method)),
    bankRefused,
    noCause,
    charge,
  );
}

export function askForMicrodeposits(
  ctx: StripeContext,
  intent: Stripe.PaymentIntent,
  cause: EventCause,
): Stripe.PaymentIntent {
  intent.status = 'requires_action';
  intent.next_action = {
    type: 'verify_with_microdeposits',
    verify_with_microdeposits: {
      arrival_date: unixNow() + MICRODEPOSITS_TAKE_S,
      hosted_verification_url: `${ctx.publicUrl()}/stripe/microdeposits/${intent.id}`,
      microdeposit_type: 'descriptor_code',
    },
  };
  ctx.events.emit('payment_intent.requires_action', intent, cause);
  return intent;
}

/** The buyer enters the micro-deposits, rightly or wrongly. */
export function verifyMicrodeposits(ctx: StripeContext, intent: Stripe.PaymentIntent, passed: boolean): void {
  if (intent.next_action?.type !== 'verify_with_microdeposits')
    throw unexpectedState('This PaymentIntent awaits no micro-deposits.', intent);
  const method = takePaymentMethod(ctx.state, String(intent.payment_method));
  intent.next_action = null;
  if (passed) startProcessing(ctx, intent, method, noCause);
  else failAttempt(ctx, intent, method, notVerified, noCause);
}

const notVerified: Decline = {
  code: 'payment_method_microdeposit_failed',
  declineCode: 'generic_decline',
  message: 'The amounts provided do not match the amounts that were sent to the bank account.',
};
const bankRefused: Decline = {
  code: 'payment_intent_payment_attempt_failed',
  declineCode: 'generic_decline',
  message: 'The payment failed.',
};

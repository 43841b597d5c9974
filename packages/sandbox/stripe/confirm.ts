import type Stripe from 'stripe';
import { failAttempt, succeed } from './attempts.ts';
import { addCharge } from './charges.ts';
import type { EventCause, StripeContext } from './context.ts';
import { openDispute } from './disputes.ts';
import { parameterInvalid, StripeApiError, unexpectedState } from './errors.ts';
import { noCause } from './events.ts';
import { nested, optionalText, type Params } from './params.ts';
import { behaviorOf, createPaymentMethod, takePaymentMethod } from './payment-methods.ts';
import { askForMicrodeposits, settleProcessing, startProcessing } from './slow-methods.ts';
import type { Decline, TestMethod } from './test-cards.ts';

/**
 * One attempt to pay, after which the intent is succeeded, processing, requires_action, or ready for another attempt.
 * @throws StripeApiError 402 card_error with the intent if the payment is declined
 */
export function confirmIntent(
  ctx: StripeContext,
  intent: Stripe.PaymentIntent,
  params: Params,
  cause: EventCause,
): Stripe.PaymentIntent {
  refuseUnlessPayable(intent);
  const method = chosenMethod(ctx, intent, params);
  const behavior = behaviorOf(ctx.state, method.id);
  if (!behavior) throw new Error(`payment method ${method.id} has no behavior`);
  if (!intent.payment_method_types.includes(method.type)) {
    const message = `The PaymentMethod provided (${method.type}) is not allowed for this PaymentIntent.`;
    throw parameterInvalid('payment_method', message);
  }
  intent.payment_method = method.id;
  intent.last_payment_error = null;
  intent.receipt_email = optionalText(params, 'receipt_email') ?? intent.receipt_email;
  if (method.type !== 'card') {
    if (ctx.behaviors.consume('stripe-microdeposits', intent.id))
      return askForMicrodeposits(ctx, intent, cause);
    return startProcessing(ctx, intent, method, cause);
  }
  if (behavior.authenticate) return askBuyersBank(ctx, intent, optionalText(params, 'return_url'), cause);
  return takeMoney(ctx, intent, method, behavior, cause);
}

export function finishAuthentication(
  ctx: StripeContext,
  intent: Stripe.PaymentIntent,
  passed: boolean,
): void {
  if (intent.status !== 'requires_action' || typeof intent.payment_method !== 'string') return;
  const method = takePaymentMethod(ctx.state, intent.payment_method);
  const behavior = behaviorOf(ctx.state, method.id);
  intent.next_action = null;
  if (!passed) {
    failAttempt(ctx, intent, method, notAuthenticated, noCause);
    return;
  }
  try {
    if (behavior) takeMoney(ctx, intent, method, behavior, noCause, true);
  } catch (error) {
    // The intent carries the decline, which the page that the buyer returns to shows.
    if (!(error instanceof StripeApiError)) throw error;
  }
}

function takeMoney(
  ctx: StripeContext,
  intent: Stripe.PaymentIntent,
  method: Stripe.PaymentMethod,
  behavior: TestMethod,
  cause: EventCause,
  authenticated = false,
): Stripe.PaymentIntent {
  if (behavior.decline) {
    const failed = { status: 'failed', decline: behavior.decline } as const;
    const charge = addCharge(ctx.state, intent, method, failed, authenticated);
    ctx.events.emit('charge.failed', charge, cause);
    throw failAttempt(ctx, intent, method, behavior.decline, cause, charge);
  }
  const slow = ctx.behaviors.consume('stripe-slow-payment', intent.id);
  if (slow) {
    startProcessing(ctx, intent, method, cause);
    ctx.later(slow.ms, () => {
      if (intent.status === 'processing') settleProcessing(ctx, intent, slow.value === 'succeeded');
      ctx.touch();
    });
    return intent;
  }
  const charge = addCharge(ctx.state, intent, method, { status: 'succeeded' }, authenticated);
  succeed(ctx, intent, charge, cause);
  const { dispute } = behavior;
  if (dispute) openDispute(ctx, charge, 'fraudulent', { isInquiry: dispute === 'inquiry' });
  return intent;
}

function askBuyersBank(
  ctx: StripeContext,
  intent: Stripe.PaymentIntent,
  returnUrl: string | undefined,
  cause: EventCause,
): Stripe.PaymentIntent {
  const url = `${ctx.publicUrl()}/stripe/authenticate/${intent.id}?client_secret=${intent.client_secret}`;
  intent.status = 'requires_action';
  intent.next_action = returnUrl
    ? {
        type: 'redirect_to_url',
        redirect_to_url: { return_url: returnUrl, url: `${url}&return_url=${encodeURIComponent(returnUrl)}` },
      }
    : { type: 'use_stripe_sdk', use_stripe_sdk: { type: 'three_d_secure_redirect', stripe_js: url } };
  ctx.events.emit('payment_intent.requires_action', intent, cause);
  return intent;
}

function refuseUnlessPayable(intent: Stripe.PaymentIntent): void {
  if (intent.status === 'succeeded') {
    const message =
      'You cannot confirm this PaymentIntent because it has already succeeded after being previously confirmed.';
    throw unexpectedState(message, intent);
  }
  if (intent.status === 'canceled' || intent.status === 'processing') {
    const message = `You cannot confirm this PaymentIntent because it has a status of ${intent.status}. Only a PaymentIntent with one of the following statuses may be confirmed: requires_confirmation, requires_action.`;
    throw unexpectedState(message, intent);
  }
}

function chosenMethod(
  ctx: StripeContext,
  intent: Stripe.PaymentIntent,
  params: Params,
): Stripe.PaymentMethod {
  const id = optionalText(params, 'payment_method');
  if (id) return takePaymentMethod(ctx.state, id);
  const details = nested(params, 'payment_method_data');
  if (details) return createPaymentMethod(ctx.state, details);
  if (typeof intent.payment_method === 'string') return takePaymentMethod(ctx.state, intent.payment_method);
  const message =
    'You cannot confirm this PaymentIntent because it’s missing a payment method. You can either update the PaymentIntent with a payment method and then confirm it again, or confirm it again directly with a payment method or ConfirmationToken.';
  throw unexpectedState(message, intent);
}

const notAuthenticated: Decline = {
  code: 'payment_intent_authentication_failure',
  declineCode: 'authentication_required',
  message:
    'We are unable to authenticate your payment method. Please choose a different payment method and try again.',
};

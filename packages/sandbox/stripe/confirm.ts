import type Stripe from 'stripe';
import { addCharge, settleCharge } from './charges.ts';
import type { EventCause, StripeContext } from './context.ts';
import { openDispute } from './disputes.ts';
import { parameterInvalid, StripeApiError, unexpectedState } from './errors.ts';
import { noCause } from './events.ts';
import { nested, optionalText, type Params } from './params.ts';
import { behaviourOf, createPaymentMethod, takePaymentMethod } from './payment-methods.ts';
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
  const behaviour = behaviourOf(ctx.state, method.id);
  if (!behaviour) throw new Error(`payment method ${method.id} has no behaviour`);
  if (!intent.payment_method_types.includes(method.type)) {
    const message = `The PaymentMethod provided (${method.type}) is not allowed for this PaymentIntent.`;
    throw parameterInvalid('payment_method', message);
  }
  intent.payment_method = method.id;
  intent.last_payment_error = null;
  intent.receipt_email = optionalText(params, 'receipt_email') ?? intent.receipt_email;
  if (method.type !== 'card') return startProcessing(ctx, intent, method, cause);
  if (behaviour.authenticate) return askBuyersBank(ctx, intent, optionalText(params, 'return_url'), cause);
  return takeMoney(ctx, intent, method, behaviour, cause);
}

/** The result of the 3-D Secure page. */
export function finishAuthentication(
  ctx: StripeContext,
  intent: Stripe.PaymentIntent,
  passed: boolean,
): void {
  if (intent.status !== 'requires_action' || typeof intent.payment_method !== 'string') return;
  const method = takePaymentMethod(ctx.state, intent.payment_method);
  const behaviour = behaviourOf(ctx.state, method.id);
  intent.next_action = null;
  if (!passed) {
    failAttempt(ctx, intent, method, notAuthenticated, noCause);
    return;
  }
  try {
    if (behaviour) takeMoney(ctx, intent, method, behaviour, noCause, true);
  } catch (error) {
    // The intent carries the decline, and the page that the buyer returns to shows it.
    if (!(error instanceof StripeApiError)) throw error;
  }
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

function takeMoney(
  ctx: StripeContext,
  intent: Stripe.PaymentIntent,
  method: Stripe.PaymentMethod,
  behaviour: TestMethod,
  cause: EventCause,
  authenticated = false,
): Stripe.PaymentIntent {
  if (behaviour.decline) {
    const failed = { status: 'failed', decline: behaviour.decline } as const;
    const charge = addCharge(ctx.state, intent, method, failed, authenticated);
    ctx.events.emit('charge.failed', charge, cause);
    throw failAttempt(ctx, intent, method, behaviour.decline, cause, charge);
  }
  const charge = addCharge(ctx.state, intent, method, { status: 'succeeded' }, authenticated);
  succeed(ctx, intent, charge, cause);
  if (behaviour.dispute) openDispute(ctx, charge, 'fraudulent');
  return intent;
}

function succeed(
  ctx: StripeContext,
  intent: Stripe.PaymentIntent,
  charge: Stripe.Charge,
  cause: EventCause,
): void {
  intent.status = 'succeeded';
  intent.amount_received = intent.amount;
  intent.latest_charge = charge.id;
  intent.next_action = null;
  intent.processing = null;
  ctx.events.emit('charge.succeeded', charge, cause);
  ctx.events.emit('payment_intent.succeeded', intent, cause);
}

function startProcessing(
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

/** Makes the intent ready for another attempt. Returns the error to answer with. */
function failAttempt(
  ctx: StripeContext,
  intent: Stripe.PaymentIntent,
  method: Stripe.PaymentMethod,
  decline: Decline,
  cause: EventCause,
  charge?: Stripe.Charge,
): StripeApiError {
  const type = method.type === 'card' && charge ? 'card_error' : 'invalid_request_error';
  const details = {
    code: decline.code,
    ...(charge ? { charge: charge.id, decline_code: decline.declineCode } : {}),
    message: decline.message,
    type,
  } as const;
  intent.status = 'requires_payment_method';
  intent.payment_method = null;
  intent.latest_charge = charge?.id ?? intent.latest_charge;
  intent.processing = null;
  intent.last_payment_error = { ...details, payment_method: method };
  ctx.events.emit('payment_intent.payment_failed', intent, cause);
  return new StripeApiError(402, { ...details, payment_intent: intent, payment_method: method }, true);
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
const bankRefused: Decline = {
  code: 'payment_intent_payment_attempt_failed',
  declineCode: 'generic_decline',
  message: 'The payment failed.',
};

import type Stripe from 'stripe';
import type { EventCause, StripeContext } from './context.ts';
import { StripeApiError } from './errors.ts';
import { watchAfterwards } from './radar.ts';
import type { Decline } from './test-cards.ts';

export function succeed(
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
  watchAfterwards(ctx, intent, charge);
}

export function failAttempt(
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

import type Stripe from 'stripe';
import { newId, randomText, unixNow } from '../ids.ts';
import { confirmIntent } from './confirm.ts';
import type { EventCause, StripeContext } from './context.ts';
import { parameterInvalid, parameterMissing, resourceMissing, unexpectedState } from './errors.ts';
import { noCause } from './events.ts';
import {
  allowOnly,
  mergeMetadata,
  nested,
  optionalInteger,
  optionalText,
  type Params,
  textList,
} from './params.ts';
import { takePaymentMethod } from './payment-methods.ts';
import { earlierRefunds } from './refunds.ts';
import type { StripeState } from './state.ts';

const CREATABLE = [
  ...['amount', 'currency', 'description', 'metadata', 'receipt_email', 'payment_method', 'expand'],
  ...['payment_method_types', 'payment_method_options', 'setup_future_usage', 'statement_descriptor_suffix'],
  ...['automatic_payment_methods', 'capture_method', 'confirm', 'confirmation_method', 'return_url'],
  ...['off_session', 'use_stripe_sdk'],
];
// Stripe's limits in US dollars.
const MIN_AMOUNT = 50;
const MAX_AMOUNT = 99_999_999;

export function createIntent(ctx: StripeContext, params: Params, cause: EventCause): Stripe.PaymentIntent {
  allowOnly(params, CREATABLE);
  const amount = optionalInteger(params, 'amount');
  if (amount === undefined) throw parameterMissing('amount');
  const currency = optionalText(params, 'currency')?.toLowerCase();
  if (!currency) throw parameterMissing('currency');
  const intent = newIntent(checkedAmount(amount), checkedCurrency(currency));
  applyParams(ctx.state, intent, params);
  chooseMethods(intent, params);
  ctx.state.paymentIntents.set(intent.id, intent);
  ctx.events.emit('payment_intent.created', intent, cause);
  if (ctx.behaviors.consume('stripe-other-payment', intent.id)) payElsewhere(ctx);
  if (params.confirm === 'true') return confirmIntent(ctx, intent, params, cause);
  return intent;
}

export function cancelIntent(
  ctx: StripeContext,
  id: string,
  params: Params,
  cause: EventCause,
): Stripe.PaymentIntent {
  allowOnly(params, ['cancellation_reason', 'expand']);
  const intent = findIntent(ctx.state, id);
  const reason = optionalText(params, 'cancellation_reason');
  if (reason && !['duplicate', 'fraudulent', 'requested_by_customer', 'abandoned'].includes(reason)) {
    throw parameterInvalid('cancellation_reason', `Invalid cancellation_reason: ${reason}`);
  }
  const isCancelable =
    intent.status === 'processing' && ctx.behaviors.consume('stripe-cancel-processing', intent.id);
  if (!isCancelable && ['succeeded', 'canceled', 'processing'].includes(intent.status)) {
    const message = `You cannot cancel this PaymentIntent because it has a status of ${intent.status}. Only a PaymentIntent with one of the following statuses may be canceled: requires_payment_method, requires_capture, requires_confirmation, requires_action.`;
    throw unexpectedState(message, intent);
  }
  intent.status = 'canceled';
  intent.canceled_at = unixNow();
  intent.cancellation_reason = reason ?? null;
  intent.next_action = null;
  intent.processing = null;
  const charge = ctx.state.charges.get(String(intent.latest_charge));
  if (charge?.status === 'pending') charge.status = 'failed';
  ctx.events.emit('payment_intent.canceled', intent, cause);
  return intent;
}

/** A payment of another application on the account, for example an invoice: without our metadata. */
export function payElsewhere(ctx: StripeContext): Stripe.PaymentIntent {
  const intent = newIntent(4200, 'usd');
  ctx.state.paymentIntents.set(intent.id, intent);
  ctx.events.emit('payment_intent.created', intent);
  return confirmIntent(ctx, intent, { payment_method: 'pm_card_visa' }, noCause);
}

/** The intent as `GET` shows it. */
export function retrieveIntent(ctx: StripeContext, intent: Stripe.PaymentIntent): Stripe.PaymentIntent {
  const isLate = intent.status === 'succeeded' && ctx.behaviors.consume('stripe-late-charge', intent.id);
  return isLate
    ? { ...intent, latest_charge: null }
    : withEarlierDispute(ctx, withEarlierRefunds(ctx, intent));
}

function withEarlierDispute(ctx: StripeContext, intent: Stripe.PaymentIntent): Stripe.PaymentIntent {
  const { latest_charge: charge } = intent;
  const found = typeof charge === 'string' ? ctx.state.charges.get(charge) : charge;
  if (!found?.disputed || !ctx.behaviors.consume('stripe-late-dispute', intent.id)) return intent;
  return { ...intent, latest_charge: { ...found, disputed: false } };
}

function withEarlierRefunds(ctx: StripeContext, intent: Stripe.PaymentIntent): Stripe.PaymentIntent {
  const charge = ctx.state.charges.get(String(intent.latest_charge));
  if (!charge?.refunds?.data.length || !ctx.behaviors.consume('stripe-late-refund', intent.id)) return intent;
  const refunds = { ...charge.refunds, data: earlierRefunds(charge) };
  return { ...intent, latest_charge: { ...charge, refunds } };
}

export function findIntent(state: StripeState, id: string): Stripe.PaymentIntent {
  const intent = state.paymentIntents.get(id);
  if (!intent) throw resourceMissing('payment_intent', id, 'intent');
  return intent;
}

function newIntent(amount: number, currency: string): Stripe.PaymentIntent {
  const id = newId('pi');
  return {
    id,
    object: 'payment_intent',
    allowed_payment_method_types: null,
    amount,
    amount_capturable: 0,
    amount_details: { tip: {} },
    amount_received: 0,
    application: null,
    application_fee_amount: null,
    automatic_payment_methods: null,
    canceled_at: null,
    cancellation_reason: null,
    capture_method: 'automatic_async',
    client_secret: `${id}_secret_${randomText(25)}`,
    confirmation_method: 'automatic',
    created: unixNow(),
    currency,
    customer: null,
    customer_account: null,
    description: null,
    excluded_payment_method_types: null,
    last_payment_error: null,
    latest_charge: null,
    livemode: false,
    managed_payments: null,
    metadata: {},
    next_action: null,
    on_behalf_of: null,
    payment_method: null,
    payment_method_configuration_details: null,
    payment_method_options: {
      card: { installments: null, mandate_options: null, network: null, request_three_d_secure: 'automatic' },
    },
    payment_method_types: ['card'],
    payment_record: null,
    processing: null,
    receipt_email: null,
    review: null,
    setup_future_usage: null,
    shipping: null,
    source: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: 'requires_payment_method',
    transfer_data: null,
    transfer_group: null,
  };
}

function applyParams(state: StripeState, intent: Stripe.PaymentIntent, params: Params): void {
  intent.metadata = mergeMetadata(intent.metadata, params);
  intent.description = optionalText(params, 'description') ?? intent.description;
  const suffix = optionalText(params, 'statement_descriptor_suffix');
  intent.statement_descriptor_suffix = suffix ?? intent.statement_descriptor_suffix;
  const email = optionalText(params, 'receipt_email');
  if (email && !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email)) {
    throw parameterInvalid('receipt_email', `Invalid email address: ${email}`, 'email_invalid');
  }
  intent.receipt_email = email ?? intent.receipt_email;
  const method = optionalText(params, 'payment_method');
  if (method) {
    intent.payment_method = takePaymentMethod(state, method).id;
    intent.status = 'requires_confirmation';
  }
}

function chooseMethods(intent: Stripe.PaymentIntent, params: Params): void {
  const types = textList(params, 'payment_method_types');
  const automatic = nested(params, 'automatic_payment_methods');
  if (types.length > 0) {
    intent.payment_method_types = types;
    return;
  }
  // The default of every current API version.
  const redirects = automatic && optionalText(automatic, 'allow_redirects');
  intent.automatic_payment_methods = { allow_redirects: redirects ?? 'always', enabled: true };
  intent.payment_method_types = ['card', 'us_bank_account'];
}

function checkedAmount(amount: number): number {
  if (amount < 1) {
    throw parameterInvalid(
      'amount',
      'This value must be greater than or equal to 1.',
      'parameter_invalid_integer',
    );
  }
  if (amount < MIN_AMOUNT) {
    throw parameterInvalid('amount', 'Amount must be at least $0.50 usd', 'amount_too_small');
  }
  if (amount > MAX_AMOUNT) {
    throw parameterInvalid('amount', 'Amount must be no more than $999,999.99', 'amount_too_large');
  }
  return amount;
}

function checkedCurrency(currency: string): string {
  if (!['usd', 'eur', 'gbp', 'cad', 'jpy', 'aud', 'chf'].includes(currency)) {
    throw parameterInvalid('currency', `Invalid currency: ${currency}`);
  }
  return currency;
}

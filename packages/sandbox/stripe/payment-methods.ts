import type Stripe from 'stripe';
import { newId, unixNow } from '../ids.ts';
import { parameterInvalid, resourceMissing, StripeApiError } from './errors.ts';
import { allowOnly, nested, optionalText, type Params, requiredText } from './params.ts';
import type { StripeState } from './state.ts';
import { passesLuhn, type TestMethod, testCardByNumber, testMethodById, testMethods } from './test-cards.ts';

const noAddress = { city: null, country: null, line1: null, line2: null, postal_code: null, state: null };
export const noBilling = { address: noAddress, email: null, name: null, phone: null, tax_id: null };

/** `POST /v1/payment_methods` with card details, as the Payment Element sends it. */
export function createPaymentMethod(state: StripeState, params: Params): Stripe.PaymentMethod {
  allowOnly(params, ['type', 'card', 'billing_details', 'metadata']);
  if (requiredText(params, 'type') !== 'card') {
    throw parameterInvalid('type', 'The sandbox makes payment methods from cards only.');
  }
  const card = nested(params, 'card') ?? {};
  const number = requiredText(card, 'number').replaceAll(/\D/g, '');
  if (!passesLuhn(number)) throw cardError('incorrect_number', 'Your card number is incorrect.', 'number');
  const method = testCardByNumber(number);
  if (!method) {
    const message = `Your card was declined. Your request was in test mode, but used a non test card. For a list of valid test cards, visit: https://stripe.com/docs/testing.`;
    throw cardError('card_declined', message, 'number');
  }
  const month = Number(requiredText(card, 'exp_month'));
  const year = Number(requiredText(card, 'exp_year'));
  const expires = { month, year: year < 100 ? 2000 + year : year };
  if (!(month >= 1 && month <= 12)) {
    throw cardError('invalid_expiry_month', "Your card's expiration month is invalid.", 'exp_month');
  }
  if (new Date(expires.year, month) <= new Date()) {
    throw cardError('invalid_expiry_year', "Your card's expiration year is invalid.", 'exp_year');
  }
  return addPaymentMethod(state, method, expires, billingOf(params));
}

/** An existing payment method, or a new one from a test id such as `pm_card_visa`. */
export function takePaymentMethod(state: StripeState, id: string): Stripe.PaymentMethod {
  const known = state.paymentMethods.get(id);
  if (known) return known;
  const method = testMethodById(id);
  if (!method) throw resourceMissing('PaymentMethod', id, 'payment_method');
  return addPaymentMethod(state, method, { month: 12, year: new Date().getFullYear() + 3 }, noBilling);
}

export function behaviorOf(state: StripeState, id: string): TestMethod | undefined {
  const testId = state.testMethodOf.get(id);
  return testMethods.find((method) => method.ids[0] === testId);
}

function addPaymentMethod(
  state: StripeState,
  method: TestMethod,
  expires: { month: number; year: number },
  billing: Stripe.PaymentMethod.BillingDetails,
): Stripe.PaymentMethod {
  const paymentMethod: Stripe.PaymentMethod = {
    id: newId('pm'),
    object: 'payment_method',
    allow_redisplay: 'unspecified',
    billing_details: billing,
    ...(method.type === 'card'
      ? { card: cardOf(method, expires) }
      : { us_bank_account: bankAccountOf(method) }),
    created: unixNow(),
    customer: null,
    customer_account: null,
    livemode: false,
    metadata: {},
    type: method.type,
  };
  state.paymentMethods.set(paymentMethod.id, paymentMethod);
  state.testMethodOf.set(paymentMethod.id, method.ids[0] ?? '');
  return paymentMethod;
}

function cardOf(method: TestMethod, expires: { month: number; year: number }): Stripe.PaymentMethod.Card {
  return {
    brand: method.brand,
    checks: { address_line1_check: null, address_postal_code_check: null, cvc_check: 'pass' },
    country: 'US',
    display_brand: method.brand,
    exp_month: expires.month,
    exp_year: expires.year,
    fingerprint: `sandbox${method.number.slice(-9)}`,
    funding: 'credit',
    generated_from: null,
    last4: method.number.slice(-4),
    networks: { available: [method.brand], preferred: null },
    regulated_status: 'unregulated',
    three_d_secure_usage: { supported: true },
    wallet: null,
  };
}

function bankAccountOf(method: TestMethod): Stripe.PaymentMethod.UsBankAccount {
  return {
    account_holder_type: 'company',
    account_type: 'checking',
    bank_name: method.brand,
    financial_connections_account: null,
    fingerprint: 'sandboxbankaccount',
    last4: method.number.slice(-4),
    networks: { preferred: 'ach', supported: ['ach'] },
    routing_number: '110000000',
    status_details: {},
  };
}

function billingOf(params: Params): Stripe.PaymentMethod.BillingDetails {
  const sent = nested(params, 'billing_details');
  if (!sent) return noBilling;
  const address = nested(sent, 'address') ?? {};
  return {
    address: {
      ...noAddress,
      country: optionalText(address, 'country') ?? null,
      postal_code: optionalText(address, 'postal_code') ?? null,
    },
    email: optionalText(sent, 'email') ?? null,
    name: optionalText(sent, 'name') ?? null,
    phone: optionalText(sent, 'phone') ?? null,
    tax_id: null,
  };
}

function cardError(code: string, message: string, param: string): StripeApiError {
  return new StripeApiError(402, { type: 'card_error', code, message, param });
}

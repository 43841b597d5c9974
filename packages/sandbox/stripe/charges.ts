import type Stripe from 'stripe';
import { newId, unixNow } from '../ids.ts';
import { noBilling } from './payment-methods.ts';
import type { StripeState } from './state.ts';
import type { Decline } from './test-cards.ts';

type ChargeResult = { status: 'succeeded' } | { status: 'pending' } | { status: 'failed'; decline: Decline };

export function addCharge(
  state: StripeState,
  intent: Stripe.PaymentIntent,
  method: Stripe.PaymentMethod,
  result: ChargeResult,
  authenticated: boolean,
): Stripe.Charge {
  const id = newId(method.type === 'card' ? 'ch' : 'py');
  const decline = result.status === 'failed' ? result.decline : undefined;
  const charge: Stripe.Charge = {
    id,
    object: 'charge',
    amount: intent.amount,
    amount_captured: 0,
    amount_refunded: 0,
    application: null,
    application_fee: null,
    application_fee_amount: null,
    balance_transaction: null,
    billing_details: { ...noBilling, ...method.billing_details },
    calculated_statement_descriptor: 'QUERYWRIGHT',
    captured: false,
    created: unixNow(),
    currency: intent.currency,
    customer: null,
    description: intent.description,
    disputed: false,
    failure_balance_transaction: null,
    failure_code: decline?.code ?? null,
    failure_message: decline?.message ?? null,
    fraud_details: {},
    livemode: false,
    metadata: { ...intent.metadata },
    on_behalf_of: null,
    outcome: outcomeOf(decline),
    paid: false,
    payment_intent: intent.id,
    payment_method: method.id,
    payment_method_details: detailsOf(method, intent.amount, authenticated),
    receipt_email: intent.receipt_email,
    receipt_number: null,
    receipt_url: null,
    refunded: false,
    refunds: { object: 'list', data: [], has_more: false, url: `/v1/charges/${id}/refunds` },
    review: null,
    shipping: null,
    source: null,
    source_transfer: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: result.status,
    transfer_data: null,
    transfer_group: null,
  };
  state.charges.set(id, charge);
  if (result.status === 'succeeded') settleCharge(charge);
  return charge;
}

export function settleCharge(charge: Stripe.Charge): void {
  charge.status = 'succeeded';
  charge.paid = true;
  charge.captured = true;
  charge.amount_captured = charge.amount;
  charge.receipt_url = `https://pay.stripe.com/receipts/payment/${charge.id}`;
  charge.balance_transaction = newId('txn');
}

function outcomeOf(decline: Decline | undefined): Stripe.Charge.Outcome {
  const base = { advice_code: null, network_advice_code: null, risk_level: 'normal', risk_score: 12 };
  if (!decline) {
    return {
      ...base,
      network_decline_code: null,
      network_status: 'approved_by_network',
      reason: null,
      seller_message: 'Payment complete.',
      type: 'authorized',
    };
  }
  return {
    ...base,
    advice_code: 'try_again_later',
    network_decline_code: '01',
    network_status: 'declined_by_network',
    reason: decline.declineCode,
    seller_message: `The bank returned the decline code \`${decline.declineCode}\`.`,
    type: 'issuer_declined',
  };
}

function detailsOf(
  method: Stripe.PaymentMethod,
  amount: number,
  authenticated: boolean,
): Stripe.Charge.PaymentMethodDetails {
  const { card, us_bank_account: bank } = method;
  if (bank) {
    const { account_holder_type, account_type, bank_name, fingerprint, last4, routing_number } = bank;
    const shown = { account_holder_type, account_type, bank_name, fingerprint, last4, routing_number };
    return { type: 'us_bank_account', us_bank_account: { ...shown, payment_reference: null } };
  }
  if (!card) return { type: method.type };
  return {
    type: 'card',
    card: {
      amount_authorized: amount,
      authorization_code: '123456',
      brand: card.brand,
      checks: card.checks,
      country: card.country,
      electronic_commerce_indicator: null,
      exp_month: card.exp_month,
      exp_year: card.exp_year,
      extended_authorization: { status: 'disabled' },
      fingerprint: card.fingerprint,
      funding: card.funding,
      incremental_authorization: { status: 'unavailable' },
      installments: null,
      last4: card.last4,
      mandate: null,
      multicapture: { status: 'unavailable' },
      network: card.brand,
      network_token: { used: false },
      network_transaction_id: '123456789012345',
      overcapture: { maximum_amount_capturable: amount, status: 'unavailable' },
      regulated_status: 'unregulated',
      three_d_secure: authenticated ? authenticatedByChallenge : null,
      transaction_link_id: null,
      wallet: null,
    },
  };
}

const authenticatedByChallenge = {
  authentication_flow: 'challenge',
  electronic_commerce_indicator: '05',
  exemption_indicator: null,
  result: 'authenticated',
  result_reason: null,
  transaction_id: '00000000-0000-4000-8000-000000000000',
  version: '2.2.0',
} as const;

import { describe, expect, test } from 'vitest';
import { factOfDispute, factOfRefund, factsOfIntent, factsOfPayment, stageOf } from './facts.ts';
import {
  idOf,
  ofPayment,
  refundedCharge,
  type StripeIntent,
  stripeDispute,
  stripeEvent,
  stripeIntent,
  stripeOrigin,
  stripePayout,
  stripeRefund,
} from './resources.ts';

const intent = (change: Partial<StripeIntent> = {}): StripeIntent =>
  stripeIntent.parse({ id: 'pi_1', status: 'succeeded', amount_received: 500, currency: 'usd', ...change });

describe.each([
  ['jpy', 2_999, 299_900],
  ['kwd', 5_120, 512],
  ['eur', 2_999, 2_999],
])('amounts in %s are read in hundredths', (currency, amount, hundredths) => {
  test('of a success, its refunds and its disputes', () => {
    const paid = { id: 'pi_1', status: 'succeeded', amount_received: amount, currency };
    const refund = stripeRefund.parse({ id: 're_1', amount, currency, status: 'failed' });
    const dispute = stripeDispute.parse({ id: 'dp_1', amount, currency, status: 'lost' });
    const facts = factsOfPayment(stripeIntent.parse(paid), { refunds: [refund], disputes: [dispute] }, 7);
    expect(facts).toMatchObject([
      { kind: 'captured', amount: hundredths, currency: currency.toUpperCase() },
      { kind: 'refund', amount: hundredths },
      { kind: 'dispute', amount: hundredths },
    ]);
  });

  test('of what a lost dispute took', () => {
    const balance_transactions = [{ amount: -amount, currency }];
    const dispute = { id: 'dp_1', amount: 9 * amount, currency, status: 'lost', balance_transactions };
    expect(factOfDispute('pi_1', stripeDispute.parse(dispute), 7)).toMatchObject({ amount: hundredths });
  });

  test('of a charge’s refunds, and of a payment without an order', () => {
    expect(refundedCharge.parse({ amount_refunded: amount, currency }).amount_refunded).toBe(hundredths);
    expect(stripeOrigin.parse({ amount, currency, created: 1 }).amount).toBe(hundredths);
  });
});

describe('facts of a PaymentIntent', () => {
  test('a success is money, with its charge if known', () => {
    const money = { kind: 'captured', paymentId: 'pi_1', provider: 'stripe', amount: 500, currency: 'USD' };
    expect(factsOfIntent(intent(), 7)).toEqual([{ ...money, captureId: undefined }]);
    expect(factsOfIntent(intent({ latest_charge: 'ch_1' }), 7)).toEqual([{ ...money, captureId: 'ch_1' }]);
    const expanded = { id: 'ch_2', disputed: false };
    expect(factsOfIntent(intent({ latest_charge: expanded }), 7)).toEqual([{ ...money, captureId: 'ch_2' }]);
  });

  test.each<[string, Partial<StripeIntent>, string | undefined, string | null]>([
    ['processing', { status: 'processing' }, 'processing', null],
    ['canceled', { status: 'canceled', cancellation_reason: 'abandoned' }, 'canceled', 'abandoned'],
    ['canceled without a reason', { status: 'canceled' }, 'canceled', null],
    ['new', { status: 'requires_payment_method' }, undefined, null],
    [
      'declined',
      { status: 'requires_payment_method', last_payment_error: { message: 'Your card was declined.' } },
      'failed',
      'Your card was declined.',
    ],
    [
      'declined without a message',
      { status: 'requires_payment_method', last_payment_error: {} },
      'failed',
      'The payment was declined.',
    ],
    [
      'waiting for micro-deposits',
      { status: 'requires_action', next_action: { type: 'verify_with_microdeposits' } },
      'processing',
      null,
    ],
    [
      'in 3-D Secure',
      { status: 'requires_action', next_action: { type: 'use_stripe_sdk' } },
      undefined,
      null,
    ],
    ['in need of an unknown action', { status: 'requires_action' }, undefined, null],
    ['confirmed', { status: 'requires_confirmation' }, undefined, null],
  ])('%s', (_what, change, status, reason) => {
    const expected = status ? [{ kind: 'attempt', paymentId: 'pi_1', status, reason, observedAt: 7 }] : [];
    expect(factsOfIntent(intent(change), 7)).toEqual(expected);
  });

  test.each(['succeeded', 'processing'])('%s, name a payment method that is not a card', (status) => {
    const paidBy = (type: string) => {
      const latest_charge = { id: 'ch_1', payment_method_details: { type } } as never;
      return factsOfIntent(intent({ status, latest_charge }), 7)[0];
    };
    expect(paidBy('us_bank_account')).toHaveProperty('methodType', 'us_bank_account');
    expect(paidBy('card')).not.toHaveProperty('methodType');
  });

  const charged = (type: string) => ({ id: 'ch_1', payment_method_details: { type } }) as never;
  const waiting = {
    status: 'requires_action',
    next_action: { type: 'verify_with_microdeposits' },
    payment_method_types: ['card', 'us_bank_account'],
  };
  const failed = (type: string) => ({
    status: 'requires_payment_method',
    last_payment_error: { payment_method: { type } },
  });
  test.each<[string, Partial<StripeIntent>, string | undefined]>([
    ['a debit that awaits micro-deposits', waiting, 'us_bank_account'],
    ['such a debit after a declined card', { ...waiting, latest_charge: charged('card') }, 'us_bank_account'],
    ['a debit whose micro-deposits failed', failed('us_bank_account'), 'us_bank_account'],
    [
      'a declined card after a debit',
      { ...failed('card'), latest_charge: charged('us_bank_account') },
      undefined,
    ],
    [
      'a debit that the bank refused, if the error does not name it',
      { status: 'requires_payment_method', last_payment_error: {}, latest_charge: charged('sepa_debit') },
      'sepa_debit',
    ],
  ])('the method of the latest attempt: %s', (_what, change, type) => {
    const [fact] = factsOfIntent(intent(change), 7);
    expect(fact).toMatchObject({ kind: 'attempt' });
    expect(fact && 'methodType' in fact ? fact.methodType : undefined).toBe(type);
  });

  test.each([
    ['succeeded', 'closed'],
    ['canceled', 'closed'],
    ['processing', 'open'],
    ['requires_action', 'open'],
  ])('%s is %s', (status, stage) => {
    expect(stageOf(intent({ status }))).toBe(stage);
  });
});

test.each([
  ['succeeded', 'succeeded'],
  ['pending', 'pending'],
  ['requires_action', 'pending'],
  ['failed', 'failed'],
  ['canceled', 'canceled'],
  ['something new', 'pending'],
  [null, 'pending'],
])('a refund that is %s is %s', (status, expected) => {
  expect(factOfRefund('pi_1', { id: 're_1', amount: 5, status }, 7)).toEqual({
    kind: 'refund',
    refundId: 're_1',
    paymentId: 'pi_1',
    amount: 5,
    status: expected,
    observedAt: 7,
  });
});

describe('facts of a dispute', () => {
  test.each([
    ['needs_response', 'open'],
    ['under_review', 'open'],
    ['warning_needs_response', 'open'],
    ['appeal_needs_response', 'open'],
    ['appeal_under_review', 'open'],
    ['warning_closed', 'won'],
    ['won', 'won'],
    ['lost', 'lost'],
    ['prevented', 'won'],
    ['prevented', 'won', [-5, 5]],
    ['prevented', 'lost', [-5]],
  ])('%s is %s', (status, outcome, moved: number[] = []) => {
    const balance_transactions = moved.map((amount) => ({ amount }));
    const dispute = stripeDispute.parse({ id: 'dp_1', amount: 5, status, balance_transactions });
    expect(factOfDispute('pi_1', dispute, 7)).toEqual({
      kind: 'dispute',
      disputeId: 'dp_1',
      paymentId: 'pi_1',
      amount: 5,
      outcome,
      observedAt: 7,
      ...(status === 'won' ? { isDecided: true } : {}),
    });
  });

  test.each([
    ['won', 10_000, true],
    ['warning_closed', 0, true],
    ['warning_closed', 9_999, true],
    ['warning_closed', 10_000, undefined],
    ['under_review', 0, undefined],
    ['lost', 0, undefined],
  ])('that is %s after %d of 10,000 cents were refunded: decided is %s', (status, amount, isDecided) => {
    const refunds = [
      { id: 're_1', amount, status: amount === 10_000 ? 'pending' : 'succeeded' },
      { id: 're_2', amount: 10_000, status: 'failed' },
    ];
    const facts = factsOfPayment(
      stripeIntent.parse({ id: 'pi_1', status: 'succeeded', amount_received: 10_000, currency: 'usd' }),
      { refunds, disputes: [stripeDispute.parse({ id: 'dp_1', amount: 10_000, status })] },
      7,
    );
    expect(Reflect.get(facts.at(-1) ?? {}, 'isDecided')).toBe(isDecided);
  });

  test.each([
    ['all of it', 5_000, [-5_000]],
    ['what was not returned to us', 3_000, [-5_000, 2_000]],
    ['all of it, as long as Stripe shows no withdrawal', 5_000, []],
    ['all of it, as long as Stripe shows no second withdrawal', 5_000, [-5_000, 5_000]],
  ])('that is lost: %s', (_what, amount, moved) => {
    const balance_transactions = moved.map((cents) => ({ amount: cents, currency: 'usd' }));
    const dispute = { id: 'dp_1', amount: 5_000, currency: 'usd', status: 'lost', balance_transactions };
    expect(factOfDispute('pi_1', stripeDispute.parse(dispute), 7)).toMatchObject({ outcome: 'lost', amount });
    const open = stripeDispute.parse({ ...dispute, status: 'under_review' });
    expect(factOfDispute('pi_1', open, 7)).toMatchObject({ outcome: 'open', amount: 5_000 });
  });

  test('that is lost, on an account in another currency, counts as disputed', () => {
    const balance_transactions = [
      { amount: -4_600, currency: 'eur' },
      { amount: 1_800, currency: 'eur' },
    ];
    const dispute = { id: 'dp_1', amount: 5_000, currency: 'usd', status: 'lost', balance_transactions };
    expect(factOfDispute('pi_1', stripeDispute.parse(dispute), 7)).toMatchObject({ amount: 5_000 });
  });

  test.each([
    ['insufficient_funds', 0, true],
    ['bank_cannot_process', 0, true],
    ['incorrect_account_details', null, true],
    ['insufficient_funds', 1_700_000_000, true],
    ['debit_not_authorized', 0, true],
    ['debit_not_authorized', null, true],
    // Of an Instant Bank Payment: evidence can be submitted.
    ['debit_not_authorized', 1_700_000_000, false],
    ['customer_initiated', 0, true],
    ['customer_initiated', 1_700_000_000, false],
    ['fraudulent', 0, false],
  ])('that is %s, with evidence due by %s, is a returned debit: %s', (reason, due_by, isReturned) => {
    const details = { reason, evidence_details: { due_by } };
    for (const status of ['needs_response', 'lost']) {
      const dispute = stripeDispute.parse({ id: 'dp_1', amount: 5, status, ...details });
      const fact = factOfDispute('pi_1', dispute, 7);
      expect('isReturnedDebit' in fact).toBe(isReturned);
      if (isReturned) expect(fact).not.toHaveProperty('evidenceDueAt');
    }
  });

  test.each([
    ['fraudulent', 'needs_response', 0, true],
    ['fraudulent', 'needs_response', 1_700_000_000, false],
    ['fraudulent', 'needs_response', null, false],
    ['fraudulent', 'warning_needs_response', 0, false],
    ['fraudulent', 'lost', 0, false],
    ['customer_initiated', 'needs_response', 0, false],
  ])('that is %s and %s, with evidence due by %s, cannot be contested: %s', (reason, status, due_by, is) => {
    const dispute = { id: 'dp_1', amount: 5, status, reason, evidence_details: { due_by } };
    const fact = factOfDispute('pi_1', stripeDispute.parse(dispute), 7);
    expect('isUncontestable' in fact).toBe(is);
  });

  test('that is an inquiry can be ended by a refund', () => {
    const inquiry = { id: 'dp_1', amount: 5, status: 'warning_needs_response', is_charge_refundable: true };
    const fact = factOfDispute('pi_1', stripeDispute.parse(inquiry), 7);
    expect(fact).toMatchObject({ outcome: 'open', isRefundable: true });
  });

  test('with its reason and the deadline for evidence', () => {
    const details = { reason: 'fraudulent', evidence_details: { due_by: 1_700_000_000 } };
    const dispute = stripeDispute.parse({ id: 'dp_1', amount: 5, status: 'needs_response', ...details });
    expect(factOfDispute('pi_1', dispute, 7)).toMatchObject({
      reason: 'fraudulent',
      evidenceDueAt: 1_700_000_000_000,
    });
    const appealed = stripeDispute.parse({ ...dispute, status: 'appeal_needs_response' });
    expect(factOfDispute('pi_1', appealed, 7)).toHaveProperty('evidenceDueAt', 1_700_000_000_000);
    const reviewed = stripeDispute.parse({ ...dispute, status: 'under_review' });
    expect(factOfDispute('pi_1', reviewed, 7)).not.toHaveProperty('evidenceDueAt');
    const without = { reason: null, evidence_details: { due_by: null } };
    const bare = factOfDispute(
      'pi_1',
      stripeDispute.parse({ id: 'dp_1', amount: 5, status: 'needs_response', ...without }),
      7,
    );
    expect(bare).not.toHaveProperty('evidenceDueAt');
    expect(bare).not.toHaveProperty('reason');
  });
});

test('an id may be expanded or missing', () => {
  expect(idOf('ch_1')).toBe('ch_1');
  expect(idOf({ id: 'ch_1' })).toBe('ch_1');
  expect(idOf(null)).toBeUndefined();
  expect(idOf(undefined)).toBeUndefined();
});

describe('objects of another shape are refused', () => {
  test.each([
    [stripeIntent, { id: 'pi_1', status: 'succeeded', currency: 'usd' }],
    [stripeIntent, { id: 'pi_1', status: 'succeeded', amount_received: 1.5, currency: 'usd' }],
    [stripeIntent, { status: 'succeeded', amount_received: 1, currency: 'usd' }],
    [stripeDispute, { id: 'dp_1', amount: 5 }],
    [stripePayout, { id: 'po_1', amount: 5 }],
    [stripeEvent, { type: 'x' }],
    [stripeEvent, { id: 'evt_1' }],
    [ofPayment, { payment_intent: 'pi_1' }],
  ])('%#', (schema, value) => {
    expect(() => schema.parse(value)).toThrow();
  });

  test('a charge keeps its refunds, and has none unless listed', () => {
    const charge = { id: 'ch_1', refunds: { data: [{ id: 're_1', amount: 1, status: 'failed' }] } };
    expect(intent({ latest_charge: charge as never }).latest_charge).toEqual({
      id: 'ch_1',
      disputed: false,
      refunds: { data: [{ id: 're_1', amount: 1, status: 'failed' }], has_more: false },
    });
  });

  test('only our own keys of the metadata are kept', () => {
    const metadata = { app: 'querywright', deployment: 'test', orderId: 'o', note: 'x' } as never;
    expect(intent({ metadata }).metadata).toEqual({ app: 'querywright', deployment: 'test', orderId: 'o' });
  });
});

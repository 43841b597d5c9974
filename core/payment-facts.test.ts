import { describe, expect, test } from 'vitest';
import { attempt, decision, expiry } from '../testing/payment-facts.ts';
import {
  addFact,
  addsNothing,
  declinesOf,
  NO_FACTS,
  type PaymentFact,
  type PaymentFacts,
} from './payment-facts.ts';

const add = (...facts: PaymentFact[]): PaymentFacts => facts.reduce(addFact, NO_FACTS);

const captured = (captureId?: string): PaymentFact => ({
  kind: 'captured',
  paymentId: 'pi_1',
  amount: 100,
  currency: 'USD',
  ...(captureId ? { captureId } : {}),
});
const dispute = (outcome: 'open' | 'won' | 'lost', observedAt: number): PaymentFact => ({
  kind: 'dispute',
  disputeId: 'dp_1',
  amount: 1,
  outcome,
  observedAt,
});

describe('a captured payment', () => {
  test('gets a charge missing from the first report, and keeps it', () => {
    expect(add(captured(), captured('ch_1')).captures.pi_1?.captureId).toBe('ch_1');
    expect(add(captured('ch_1'), captured('ch_2')).captures.pi_1?.captureId).toBe('ch_1');
    expect(add(captured('ch_1'), captured()).captures.pi_1?.captureId).toBe('ch_1');
  });

  test('gets a payment method missing from the first report, and keeps it', () => {
    const byDebit = { ...captured(), methodType: 'us_bank_account' } as PaymentFact;
    for (const facts of [
      [captured('ch_1'), byDebit],
      [byDebit, captured('ch_1')],
    ]) {
      expect(add(...facts).captures.pi_1).toMatchObject({
        captureId: 'ch_1',
        methodType: 'us_bank_account',
      });
    }
  });

  test('keeps the amount of the first report', () => {
    const other = { ...captured(), amount: 5 } as PaymentFact;
    expect(add(captured(), other).captures.pi_1).toEqual({ amount: 100, currency: 'USD' });
    expect(add(other, captured()).captures.pi_1?.amount).toBe(5);
  });
});

describe('the latest observation counts; equal timestamps are ordered by rank', () => {
  test.each<[string, PaymentFact[], string]>([
    ['a later attempt', [attempt('failed', 1), attempt('processing', 2)], 'processing'],
    ['an earlier attempt', [attempt('failed', 2), attempt('processing', 1)], 'failed'],
    ['processing beside failed', [attempt('failed', 1), attempt('processing', 1)], 'failed'],
    ['failed beside processing', [attempt('processing', 1), attempt('failed', 1)], 'failed'],
    [
      'an earlier cancellation of the same payment',
      [attempt('failed', 2), attempt('canceled', 1)],
      'canceled',
    ],
    ['a later attempt of a canceled payment', [attempt('canceled', 1), attempt('failed', 2)], 'canceled'],
    ['a later attempt of another payment', [attempt('canceled', 1), attempt('failed', 2, 'pi_2')], 'failed'],
    [
      'an earlier cancellation of another payment',
      [attempt('failed', 2), attempt('canceled', 1, 'pi_2')],
      'failed',
    ],
  ])('%s', (_what, facts, status) => {
    expect(add(...facts).attempt?.status).toBe(status);
  });

  test('attempts whose payment earlier releases did not store are ordered by time alone', () => {
    const old = (status: 'processing' | 'failed', observedAt: number): PaymentFact => {
      const { paymentId: _, ...rest } = attempt(status, observedAt) as Extract<
        PaymentFact,
        { kind: 'attempt' }
      >;
      return rest;
    };
    expect(add(old('processing', 1), old('failed', 2)).attempt?.status).toBe('failed');
    expect(add(old('processing', 2), old('failed', 1)).attempt?.status).toBe('processing');
  });

  test('an order expires once, whatever its payment does', () => {
    const facts = [attempt('processing', 1), expiry, attempt('failed', 3)];
    expect(add(...facts)).toMatchObject({ expired: true, attempt: { status: 'failed', observedAt: 3 } });
    expect(add(...facts.toReversed())).toEqual(add(...facts));
    expect(add(attempt('canceled', 1)).expired).toBeUndefined();
    expect(addsNothing(add(expiry), [expiry])).toBe(true);
    expect(addsNothing(add(), [expiry])).toBe(false);
  });

  test.each<[PaymentFact[], string]>([
    [[dispute('won', 1), dispute('lost', 2)], 'lost'],
    [[dispute('lost', 1), dispute('won', 2)], 'won'],
    [[dispute('lost', 2), dispute('won', 1)], 'lost'],
    [[dispute('won', 1), dispute('lost', 1)], 'lost'],
    [[dispute('lost', 1), dispute('won', 1)], 'lost'],
    [[dispute('won', 1), dispute('open', 1)], 'won'],
  ])('disputes: %j', (facts, outcome) => {
    expect(add(...facts).disputes.dp_1?.outcome).toBe(outcome);
  });

  test.each<[string, object[], object]>([
    [
      'what a booked loss took, whatever was decided since',
      [
        { outcome: 'lost', amount: 7, bookedAsRefund: true, observedAt: 1 },
        { outcome: 'lost', amount: 5, bookedAsRefund: true, observedAt: 2 },
        { outcome: 'won', bookedAsRefund: true, observedAt: 3 },
      ],
      { outcome: 'won', lostBefore: 7 },
    ],
    [
      'that it was decided, also by an earlier answer',
      [
        { outcome: 'won', isDecided: true, observedAt: 1 },
        { outcome: 'won', observedAt: 2 },
      ],
      { outcome: 'won', isDecided: true, observedAt: 2 },
    ],
  ])('a dispute keeps %s', (_what, observed, expected) => {
    const facts = observed.map((one) => ({ ...dispute('open', 1), ...one }) as PaymentFact);
    expect(add(...facts).disputes.dp_1).toMatchObject(expected);
    expect(add(...facts.toReversed())).toEqual(add(...facts));
    expect(addFact(add(...facts), facts[0] as PaymentFact)).toEqual(add(...facts));
  });

  test('a loss that is not booked as a refund, and a win, took nothing before', () => {
    expect(add(dispute('lost', 1)).disputes.dp_1).not.toHaveProperty('lostBefore');
    expect(add(dispute('won', 1)).disputes.dp_1).not.toHaveProperty('lostBefore');
    expect(add(dispute('won', 1)).disputes.dp_1).not.toHaveProperty('isDecided');
  });

  test('a refund is a reversal once anything has shown it', () => {
    const refund = (observedAt: number, status: string, isReversal?: true) =>
      ({
        ...{ kind: 'refund', refundId: 're_1', paymentId: 'pi_1', amount: 1, status, observedAt },
        ...(isReversal && { isReversal }),
      }) as PaymentFact;
    const facts = [refund(0, 'pending', true), refund(2, 'succeeded')];
    const known = add(...facts);
    expect(known.refunds?.re_1).toMatchObject({ status: 'succeeded', isReversal: true });
    expect(add(...facts.toReversed())).toEqual(known);
    expect(addFact(known, refund(2, 'succeeded'))).toBe(known);
    expect(add(refund(1, 'pending')).refunds?.re_1).not.toHaveProperty('isReversal');
  });

  test('a repeated fact of the same instant changes nothing', () => {
    const known = add(dispute('won', 1));
    expect(addFact(known, dispute('won', 1))).toBe(known);
  });

  test.each<[PaymentFact[], string]>([
    [[decision('canceled', 1), decision('refunded', 2)], 'refunded'],
    [[decision('refunded', 2), decision('canceled', 1)], 'refunded'],
    [[decision('canceled', 1), decision('paid', 1)], 'paid'],
    [[decision('paid', 1), decision('refunded', 1)], 'paid'],
    [[decision('canceled', 1), decision('refunded', 1)], 'refunded'],
  ])('decisions: %j', (facts, status) => {
    expect(add(...facts).decision?.status).toBe(status);
  });

  const kept = (paymentId: string, observedAt: number): PaymentFact => ({
    kind: 'kept',
    paymentId,
    observedAt,
  });
  test.each<[PaymentFact[], string]>([
    [[kept('pi_1', 1), kept('pi_2', 2)], 'pi_2'],
    [[kept('pi_2', 1), kept('pi_1', 2)], 'pi_1'],
    [[kept('pi_1', 1), kept('pi_2', 1)], 'pi_2'],
  ])('the payment that staff keep: %j', (facts, paymentId) => {
    expect(add(...facts).kept?.paymentId).toBe(paymentId);
    expect(add(...facts.toReversed())).toEqual(add(...facts));
    expect(addsNothing(add(...facts), [kept(paymentId, 7)])).toBe(true);
  });

  test('a dispute stored without a time is replaced by any later one', () => {
    const old = {
      ...NO_FACTS,
      disputes: { dp_1: { amount: 1, outcome: 'lost' } },
    } as unknown as PaymentFacts;
    expect(addFact(old, dispute('won', 1)).disputes.dp_1?.outcome).toBe('won');
  });

  test('a refund beside facts without refunds by id', () => {
    const { refunds: _, ...old } = NO_FACTS;
    const fact: PaymentFact = {
      kind: 'refund',
      refundId: 're_1',
      paymentId: 'pi_1',
      amount: 1,
      status: 'pending',
      observedAt: 1,
    };
    expect(addFact(old, fact).refunds).toEqual({
      re_1: { paymentId: 'pi_1', amount: 1, status: 'pending', observedAt: 1 },
    });
  });

  test('a provider’s total only grows', () => {
    const total = (cents: number): PaymentFact => ({
      kind: 'refunded_total',
      paymentId: 'pi_1',
      total: cents,
    });
    expect(add(total(5), total(3)).refunded).toEqual({ pi_1: 5 });
    expect(add(total(3), total(5)).refunded).toEqual({ pi_1: 5 });
  });
});

describe('whether a report adds facts', () => {
  const known = add(captured('ch_1'), attempt('failed', 1));

  test.each<[string, PaymentFact[], boolean]>([
    ['nothing', [], true],
    ['the same facts', [captured('ch_1'), attempt('failed', 1)], true],
    ['the same attempt, observed later', [attempt('failed', 7)], true],
    ['another attempt', [attempt('processing', 7)], false],
    ['another payment', [{ ...captured(), paymentId: 'pi_2' } as PaymentFact], false],
    ['a first dispute', [dispute('open', 1)], false],
  ])('%s', (_what, facts, expected) => {
    expect(addsNothing(known, facts)).toBe(expected);
  });
});

test.each([
  [{ status: 'failed', declines: 2 }, 'pi_1', 2],
  [{ status: 'failed' }, 'pi_1', 1],
  [{ status: 'failed', declines: 2 }, 'pi_2', 0],
  [{ status: 'processing', declines: 2 }, 'pi_1', 0],
] as const)('after the attempt %o, payment %s was declined %d times', (attempt, paymentId, times) => {
  const latest = { paymentId: 'pi_1', reason: null, observedAt: 1, ...attempt };
  expect(declinesOf({ attempt: latest }, paymentId)).toBe(times);
});

test('a payment without an attempt was not declined', () => {
  expect(declinesOf(NO_FACTS, 'pi_1')).toBe(0);
  expect(declinesOf(NO_FACTS, null)).toBe(0);
});

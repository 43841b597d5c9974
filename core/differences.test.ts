import { describe, expect, test } from 'vitest';
import { attempt, expiry, refunded } from '../testing/payment-facts.ts';
import { compare } from './differences.ts';
import { settle } from './order-lifecycle.ts';
import type { OrderState } from './order-state.ts';
import { NO_FACTS, type PaymentFact } from './payment-facts.ts';

const captured: PaymentFact = { kind: 'captured', paymentId: 'pi_1', amount: 299_900, currency: 'USD' };
const odd = (paymentId: string): PaymentFact => ({ ...captured, paymentId, amount: 1 }) as PaymentFact;

describe('no difference', () => {
  test.each([
    ['paid on both sides', [captured], [captured]],
    ['refunded as much on both sides', [captured, refunded(100)], [captured, refunded(100)]],
    ['nobody has tried to pay', [], []],
    ['given up here, still payable there', [attempt('canceled')], []],
    ['given up here, declined there', [attempt('canceled')], [attempt('failed')]],
    ['declined on both sides', [attempt('failed')], [attempt('failed')]],
    ['failed here, tried again there', [attempt('failed')], []],
  ] as const)('%s', (_what, ours, theirs) => {
    expect(compare(orderAfter(ours), theirs)).toBeUndefined();
  });

  test('an expired order whose payment was denied by the provider', () => {
    const order = orderAfter([expiry, attempt('processing'), attempt('failed', 2)]);
    expect(compare(order, [attempt('failed', 3)])).toBeUndefined();
  });

  test('a refunded second payment, in either order', () => {
    const second = { ...captured, paymentId: 'PAYPAL' } as PaymentFact;
    const returned: PaymentFact = { kind: 'refunded_total', paymentId: 'PAYPAL', total: 299_900 };
    const order = orderAfter([captured, second, returned]);
    expect(compare(order, [captured, second, returned])).toBeUndefined();
    expect(compare(order, [second, returned, captured])).toBeUndefined();
  });

  test('a second payment that staff keep, in either order', () => {
    const second = { ...captured, paymentId: 'PAYPAL' } as PaymentFact;
    const kept: PaymentFact = { kind: 'kept', paymentId: 'PAYPAL', observedAt: 1 };
    const order = orderAfter([captured, second, refunded(299_900), kept]);
    expect(order.status).toBe('paid');
    expect(compare(order, [captured, second, refunded(299_900)])).toBeUndefined();
    expect(compare(order, [second, captured, refunded(299_900)])).toBeUndefined();
  });

  test('a reversal that was canceled when the dispute was won, which only an event had shown', () => {
    const paypal = { ...captured, paymentId: 'PAYPAL' } as PaymentFact;
    const reversal = {
      ...{ kind: 'refund', refundId: 'REVERSAL', paymentId: 'PAYPAL', amount: 299_900 },
      ...{ status: 'succeeded', observedAt: 1 },
    } as PaymentFact;
    const dispute = (outcome: 'lost' | 'won', observedAt: number) =>
      ({
        ...{ kind: 'dispute', disputeId: 'PP-D-1', paymentId: 'PAYPAL', amount: 299_900 },
        ...{ outcome, observedAt, bookedAsRefund: true },
      }) as PaymentFact;
    const marked = { ...reversal, isReversal: true } as PaymentFact;
    const order = orderAfter([paypal, marked, dispute('lost', 1), dispute('won', 2)]);
    expect(order.status).toBe('paid');
    expect(compare(order, [paypal, reversal, dispute('won', 3)])).toBeUndefined();
  });

  test('a dispute missing from the provider’s report of the payment', () => {
    const dispute: PaymentFact = {
      kind: 'dispute',
      disputeId: 'PP-D-1',
      amount: 299_900,
      outcome: 'open',
      observedAt: 1,
    };
    expect(compare(orderAfter([captured, dispute]), [captured])).toBeUndefined();
  });

  test('an operator’s decision that contradicts the provider’s amount', () => {
    const wrong: PaymentFact = { ...captured, amount: 1 };
    expect(
      compare(orderAfter([wrong, { kind: 'decision', status: 'paid', payments: ['pi_1'], observedAt: 1 }]), [
        wrong,
      ]),
    ).toBeUndefined();
  });
});

describe('a difference that is safe to fix', () => {
  test.each([
    ['pending here, paid at the provider', [], [captured]],
    ['canceled here, paid at the provider', [attempt('canceled')], [captured]],
    ['paid here, partially_refunded at the provider', [captured], [captured, refunded(100)]],
    ['100 cents refunded here, 200 at the provider', [captured, refunded(100)], [captured, refunded(200)]],
    ['pending here, review at the provider', [], [{ ...captured, amount: 1 } as const]],
    ['paid a second time', [captured], [captured, { ...captured, paymentId: 'pi_2' } as const]],
    ['processing here, failed at the provider', [attempt('processing')], [attempt('failed', 2)]],
    ['failed here, processing at the provider', [attempt('failed')], [attempt('processing', 2)]],
    ['pending here, canceled at the provider', [], [attempt('canceled')]],
    ['canceled here, processing at the provider', [expiry], [attempt('processing')]],
    ['processing here, canceled at the provider', [expiry, attempt('processing')], [attempt('failed', 2)]],
    ['a payment unknown here', [odd('pi_1')], [odd('pi_1'), odd('pi_2')]],
  ] as const)('%s', (what, ours, theirs) => {
    expect(compare(orderAfter(ours), theirs)).toMatchObject({ what, safe: true });
  });
});

test('both sides are named with status and refunds', () => {
  expect(compare(orderAfter([captured, refunded(100)]), [captured, refunded(200)])).toEqual({
    ours: { status: 'partially_refunded', amountRefunded: 100 },
    theirs: { status: 'partially_refunded', amountRefunded: 200 },
    what: '100 cents refunded here, 200 at the provider',
    safe: true,
  });
});

describe('a difference that needs a person', () => {
  test.each([
    ['paid here, pending at the provider', [captured], []],
    ['200 cents refunded here, 100 at the provider', [captured, refunded(200)], [captured, refunded(100)]],
    ['processing here, failed at the provider', [attempt('processing', 2)], [attempt('failed')]],
    ['processing here, pending at the provider', [attempt('processing')], []],
  ] as const)('%s', (what, ours, theirs) => {
    expect(compare(orderAfter(ours), theirs)).toMatchObject({ what, safe: false });
  });
});

function orderAfter(facts: readonly PaymentFact[]): OrderState {
  const fresh: OrderState = { amount: 299_900, currency: 'USD', status: 'pending', facts: NO_FACTS };
  return { ...fresh, ...settle(fresh, facts) };
}

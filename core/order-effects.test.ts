import { describe, expect, test } from 'vitest';
import { attempt, decision, expiry } from '../testing/payment-facts.ts';
import { settle } from './order-lifecycle.ts';
import { amountRefunded } from './order-money.ts';
import type { OrderState } from './order-state.ts';
import { NO_FACTS, type PaymentFact } from './payment-facts.ts';

const price = { amount: 10_000, currency: 'USD' };
const fresh: OrderState = { ...price, status: 'pending', facts: NO_FACTS };

const captured = (paymentId = 'pi_1', amount = price.amount, currency = 'USD'): PaymentFact => ({
  kind: 'captured',
  paymentId,
  amount,
  currency,
});
const refund = (
  refundId: string,
  status: 'pending' | 'succeeded' | 'failed' | 'canceled',
  amount: number,
  { observedAt = 1, paymentId = 'pi_1' } = {},
): PaymentFact => ({ kind: 'refund', refundId, paymentId, amount, status, observedAt });
const dispute = (
  outcome: 'open' | 'won' | 'lost',
  { observedAt = 1, amount = 4_000, bookedAsRefund = false, disputeId = 'dp_1', evidenceDueAt = 0 } = {},
): PaymentFact => ({
  kind: 'dispute',
  disputeId,
  amount,
  outcome,
  observedAt,
  ...(evidenceDueAt ? { evidenceDueAt } : {}),
  ...(bookedAsRefund ? { bookedAsRefund: true as const } : {}),
});

function orderAfter(...facts: PaymentFact[]): OrderState {
  const { status, facts: known } = settle(fresh, facts);
  return { ...price, status, facts: known };
}

const effects = (order: OrderState, ...facts: PaymentFact[]) => settle(order, facts).effects;

describe('what follows from an attempt', () => {
  test('a processing payment is announced', () => {
    expect(effects(fresh, attempt('processing'))).toEqual([{ kind: 'payment_processing', observedAt: 1 }]);
    const held = { ...attempt('processing', 2), heldFor: 'UNILATERAL' } as PaymentFact;
    const reported = { kind: 'payment_held', paymentId: 'pi_1', reason: 'UNILATERAL' };
    expect(effects(orderAfter(attempt('processing')), held)).toEqual([reported]);
    expect(effects(orderAfter(held), { ...held, observedAt: 3 } as PaymentFact)).toEqual([]);
    expect(effects(orderAfter(captured()), held)).toEqual([]);
  });

  test('a failed payment is announced', () => {
    expect(effects(fresh, attempt('failed'))).toEqual([{ kind: 'payment_failed' }]);
  });

  test('each failure of a payment that was processing is announced, also after a decline', () => {
    const processing = orderAfter(attempt('failed', 1), attempt('processing', 2));
    expect(effects(processing, attempt('failed', 3))).toEqual([{ kind: 'payment_failed', observedAt: 3 }]);
  });

  test('a canceled payment is announced only after a notice that it is processing', () => {
    expect(effects(fresh, attempt('canceled'))).toEqual([]);
    expect(effects(orderAfter(attempt('failed', 1)), attempt('canceled', 2))).toEqual([]);
    expect(effects(orderAfter(attempt('processing', 1)), attempt('canceled', 2))).toEqual([
      { kind: 'order_canceled' },
    ]);
  });

  test('a canceled order is announced after a notice that its payment is processing', () => {
    const canceled = [{ kind: 'order_canceled' }];
    expect(effects(orderAfter(attempt('processing'), expiry), attempt('failed', 2))).toEqual(canceled);
    const inReview = orderAfter(captured('pi_1', 1));
    expect(effects(inReview, decision('canceled'))).toEqual(canceled);
  });

  test('an unpaid order expires without an e-mail', () => {
    expect(effects(fresh, expiry)).toEqual([]);
    expect(effects(orderAfter(attempt('failed')), expiry)).toEqual([]);
  });

  test('a payment found processing after the order expired is announced', () => {
    const { moves, effects } = settle(orderAfter(expiry), [attempt('processing')]);
    expect(moves).toEqual([{ from: 'canceled', to: 'processing' }]);
    expect(effects).toEqual([{ kind: 'payment_processing', observedAt: 1 }]);
  });

  test('a second failure is not announced again', () => {
    expect(effects(orderAfter(attempt('failed', 1)), attempt('failed', 2))).toEqual([]);
  });
});

describe('what follows from money', () => {
  test('the payment is announced once', () => {
    expect(effects(fresh, captured())).toEqual([{ kind: 'paid' }]);
  });

  test('a payment first reported as refunded is announced with its refund', () => {
    expect(effects(fresh, refund('re_1', 'succeeded', 500), captured())).toEqual([
      { kind: 'paid' },
      { kind: 'refunded', amount: 500, total: 500, refundIds: ['re_1'] },
    ]);
  });

  test('each refund names what it returned, and only what succeeded', () => {
    const paid = orderAfter(captured());
    expect(effects(paid, refund('re_1', 'succeeded', 500), refund('re_2', 'pending', 100))).toEqual([
      { kind: 'refunded', amount: 500, total: 500, refundIds: ['re_1'] },
    ]);
    const once = orderAfter(captured(), refund('re_1', 'succeeded', 500));
    expect(effects(once, refund('re_2', 'succeeded', 100))).toEqual([
      { kind: 'refunded', amount: 100, total: 600, refundIds: ['re_2'] },
    ]);
    expect(effects(once, refund('re_1', 'succeeded', 500, { observedAt: 2 }))).toEqual([]);
  });

  test('a second partial refund does not move the order', () => {
    const once = orderAfter(captured(), refund('re_1', 'succeeded', 500));
    expect(settle(once, [refund('re_2', 'succeeded', 100)])).toMatchObject({
      status: 'partially_refunded',
      amountRefunded: 600,
      moves: [],
    });
  });

  test.each(['failed', 'canceled'] as const)('a refund that %s is reported', (status) => {
    expect(effects(orderAfter(captured()), refund('re_1', status, 500))).toEqual([
      { kind: 'refund_failed', refundId: 're_1' },
    ]);
  });

  test('a refund counts for an order that an earlier release stored without refunds by id', () => {
    const { refunds: _, ...old } = orderAfter(captured()).facts;
    const order: OrderState = { ...price, status: 'paid', facts: old };
    expect(settle(order, [refund('re_1', 'succeeded', 500)])).toMatchObject({
      status: 'partially_refunded',
      effects: [{ kind: 'refunded', amount: 500 }],
    });
    expect(amountRefunded(price, old)).toBe(0);
  });

  test('the refund of a second payment does not count for the order', () => {
    const twice = orderAfter(captured('pi_1'), captured('pi_2'));
    const next = settle(twice, [refund('re_2', 'succeeded', 10_000, { paymentId: 'pi_2' })]);
    expect(next).toMatchObject({ status: 'paid', amountRefunded: 0, effects: [] });
  });

  test('money of another currency is a mismatch, of another order too', () => {
    expect(effects(fresh, captured('pi_1', price.amount, 'EUR'))).toEqual([
      { kind: 'capture_mismatch', paymentId: 'pi_1' },
    ]);
    const foreign: PaymentFact = { ...captured(), forAnotherOrder: true } as PaymentFact;
    expect(settle(fresh, [foreign])).toMatchObject({
      status: 'review',
      effects: [{ kind: 'capture_mismatch', paymentId: 'pi_1' }],
    });
  });

  test('money that did not fit is extra once the exact payment arrives, even if an operator accepted it', () => {
    const accepted = orderAfter(captured('pi_1', 500), decision('paid'));
    const extra = { kind: 'extra_payment', paymentId: 'pi_1' };
    expect(effects(accepted, captured('pi_2'))).toEqual([extra]);
    expect(effects(orderAfter(captured('pi_1', 500)), captured('pi_2'))).toEqual([{ kind: 'paid' }, extra]);
    const foreign = { ...captured('pi_1', 500), forAnotherOrder: true } as PaymentFact;
    expect(effects(orderAfter(foreign), captured('pi_2'))).toEqual([{ kind: 'paid' }]);
    const settled = orderAfter(captured('pi_1', 500), decision('paid'), captured('pi_2'));
    expect(effects(settled, captured('pi_2'))).toEqual([]);
    const returned = refund('re_1', 'succeeded', 500);
    const refunded = orderAfter(captured('pi_1', 500), decision('paid'), returned);
    expect(effects(refunded, captured('pi_2'))).not.toContainEqual(extra);
  });

  test('nothing is refunded of an order that is not paid', () => {
    expect(amountRefunded(price, orderAfter(refund('re_1', 'succeeded', 500)).facts)).toBe(0);
    expect(amountRefunded(price, orderAfter(dispute('lost')).facts)).toBe(0);
  });
});

describe('what follows from a dispute', () => {
  const paid = orderAfter(captured());

  test('it is reported when it opens, and when it closes', () => {
    expect(effects(paid, dispute('open'))).toEqual([{ kind: 'dispute_opened', disputeId: 'dp_1' }]);
    const disputed = orderAfter(captured(), dispute('open'));
    expect(effects(disputed, dispute('open', { observedAt: 5 }))).toEqual([]);
    expect(effects(disputed, dispute('won', { observedAt: 2 }))).toEqual([
      { kind: 'dispute_closed', disputeId: 'dp_1', outcome: 'won', observedAt: 2 },
    ]);
  });

  test('one that is first reported closed is reported as both', () => {
    expect(effects(paid, dispute('lost', { observedAt: 3 }))).toEqual([
      { kind: 'dispute_opened', disputeId: 'dp_1' },
      { kind: 'dispute_closed', disputeId: 'dp_1', outcome: 'lost', observedAt: 3 },
    ]);
  });

  test('it is reported again when it is reopened, or asks for evidence by another date', () => {
    const asking = (evidenceDueAt: number, observedAt: number) =>
      dispute('open', { observedAt, evidenceDueAt });
    const again = (observedAt: number) => [{ kind: 'dispute_reopened', disputeId: 'dp_1', observedAt }];
    const lost = orderAfter(captured(), dispute('lost', { observedAt: 3 }));
    expect(effects(lost, asking(0, 4))).toEqual(again(4));
    expect(effects(lost, asking(9, 4))).toEqual(again(4));
    const asked = orderAfter(captured(), asking(9, 1));
    expect(effects(asked, asking(9, 2))).toEqual([]);
    expect(effects(asked, asking(0, 2))).toEqual([]);
    expect(effects(asked, asking(8, 2))).toEqual(again(2));
    expect(effects(orderAfter(captured(), asking(0, 1)), asking(9, 2))).toEqual(again(2));
    expect(effects(asked, dispute('lost', { observedAt: 2, evidenceDueAt: 8 }))).toEqual([
      { kind: 'dispute_closed', disputeId: 'dp_1', outcome: 'lost', observedAt: 2 },
    ]);
  });

  test('won on appeal, its reversal that is canceled is no failed refund', () => {
    const reversal = { ...refund('re_1', 'succeeded', 4_000), isReversal: true } as PaymentFact;
    const canceled = refund('re_1', 'canceled', 4_000, { observedAt: 2 });
    expect(effects(orderAfter(captured(), reversal), canceled)).toEqual([]);
  });

  test('won on appeal, the payment that was lost is extra beside the one that staff kept', () => {
    const about = (outcome: 'lost' | 'won', observedAt: number) =>
      ({ ...dispute(outcome, { observedAt, amount: 10_000 }), paymentId: 'pi_1' }) as PaymentFact;
    const kept: PaymentFact = { kind: 'kept', paymentId: 'pi_2', observedAt: 1 };
    const order = orderAfter(captured(), captured('pi_2'), about('lost', 1), kept);
    expect(effects(order, about('won', 2))).toEqual([
      { kind: 'extra_payment', paymentId: 'pi_1' },
      { kind: 'dispute_closed', disputeId: 'dp_1', outcome: 'won', observedAt: 2 },
    ]);
    expect(
      effects(order, about('won', 2), refund('re_1', 'succeeded', 10_000)).map(({ kind }) => kind),
    ).toEqual(['dispute_closed']);
    const settled = orderAfter(captured(), about('lost', 1));
    expect(effects(settled, about('won', 2)).map(({ kind }) => kind)).toEqual(['dispute_closed']);
    const open = orderAfter(captured(), captured('pi_2'), kept, {
      ...about('lost', 1),
      outcome: 'open',
    } as PaymentFact);
    expect(effects(open, about('won', 2)).map(({ kind }) => kind)).toEqual(['dispute_closed']);
  });

  test('an outcome is reported once', () => {
    const lost = orderAfter(captured(), dispute('lost', { observedAt: 3 }));
    expect(effects(lost, dispute('lost', { observedAt: 4 }))).toEqual([]);
  });

  test('one about a second payment does not concern the order', () => {
    const twice = orderAfter(captured('pi_1'), captured('pi_2'));
    const about = (paymentId: string) =>
      ({ ...dispute('lost', { amount: 10_000 }), paymentId }) as PaymentFact;
    expect(settle(twice, [about('pi_2')])).toMatchObject({ status: 'paid', amountRefunded: 0 });
    expect(settle(twice, [about('pi_1')])).toMatchObject({ status: 'refunded', amountRefunded: 10_000 });
    expect(settle(twice, [{ ...about('pi_2'), outcome: 'open' } as PaymentFact]).status).toBe('paid');
  });

  test('a lost one beside refunds: booked as a refund it counts once, otherwise on top', () => {
    const withRefund = (bookedAsRefund: boolean) =>
      orderAfter(captured(), refund('re_1', 'succeeded', 4_000), dispute('lost', { bookedAsRefund }));
    expect(amountRefunded(price, withRefund(true).facts)).toBe(4_000);
    expect(amountRefunded(price, withRefund(false).facts)).toBe(8_000);
  });

  test('a lost one that should be booked as a refund counts beside refunds that are not its booking', () => {
    const lost = dispute('lost', { bookedAsRefund: true });
    const first = refund('re_1', 'succeeded', 1_000);
    expect(amountRefunded(price, orderAfter(captured(), first, lost).facts)).toBe(5_000);
    const pending = refund('re_2', 'pending', 4_000);
    expect(amountRefunded(price, orderAfter(captured(), first, lost, pending).facts)).toBe(5_000);
    const booking = refund('re_2', 'succeeded', 4_000);
    expect(amountRefunded(price, orderAfter(captured(), first, lost, booking).facts)).toBe(5_000);
    const other = dispute('lost', { bookedAsRefund: true, disputeId: 'dp_2' });
    expect(amountRefunded(price, orderAfter(captured(), first, lost, other, booking).facts)).toBe(9_000);
  });

  test('one that a full refund closed, which PayPal calls lost: the refund counts once it has succeeded', () => {
    const closed = dispute('lost', { bookedAsRefund: true, amount: 10_000 });
    const closedBy = (status: 'pending' | 'succeeded' | 'failed') =>
      orderAfter(captured(), dispute('open'), refund('re_1', status, 10_000), closed);
    expect(closedBy('pending')).toMatchObject({ status: 'paid' });
    expect(amountRefunded(price, closedBy('pending').facts)).toBe(0);
    expect(closedBy('succeeded')).toMatchObject({ status: 'refunded' });
    expect(amountRefunded(price, closedBy('succeeded').facts)).toBe(10_000);
    expect(closedBy('failed')).toMatchObject({ status: 'paid' });
    const inTwo = (first: 'pending' | 'succeeded' | 'canceled') => {
      const parts = [refund('re_1', first, 1_000), refund('re_2', 'succeeded', 9_000)];
      return amountRefunded(price, orderAfter(captured(), ...parts, closed).facts);
    };
    expect(inTwo('pending')).toBe(9_000);
    expect(inTwo('succeeded')).toBe(10_000);
    expect(inTwo('canceled')).toBe(9_000);
  });

  test('a lost one beside the provider’s total', () => {
    const total = { kind: 'refunded_total', paymentId: 'pi_1', total: 4_000 } as const;
    const lost = dispute('lost', { bookedAsRefund: true });
    expect(amountRefunded(price, orderAfter(captured(), total, lost).facts)).toBe(4_000);
    expect(amountRefunded(price, orderAfter(captured(), lost).facts)).toBe(4_000);
  });

  test('more than the price is never refunded', () => {
    const facts = orderAfter(captured(), refund('re_1', 'succeeded', 9_000), dispute('lost')).facts;
    expect(amountRefunded(price, facts)).toBe(10_000);
  });
});

describe('money that an operator accepted', () => {
  const decided = (...odd: PaymentFact[]) =>
    orderAfter(...odd, {
      kind: 'decision',
      status: 'paid',
      payments: odd.map((fact) => (fact.kind === 'captured' ? fact.paymentId : '')),
      observedAt: 9,
    });

  test('is refunded once all of it is refunded', () => {
    const order = decided(captured('pi_1', 3_000), captured('pi_2', 4_000));
    const part = settle(order, [refund('re_1', 'succeeded', 3_000)]);
    expect(part).toMatchObject({ status: 'partially_refunded', amountRefunded: 3_000 });
    const rest = refund('re_2', 'succeeded', 4_000, { paymentId: 'pi_2' });
    expect(settle({ ...order, status: part.status, facts: part.facts }, [rest])).toMatchObject({
      status: 'refunded',
      amountRefunded: 7_000,
    });
  });

  test.each(['refunded', 'canceled'] as const)('is announced, also after it was %s at first', (first) => {
    const odd = captured('pi_1', 3_000);
    const order = orderAfter(odd, decision(first, 1));
    expect(effects(order, decision('paid', 2))).toEqual([{ kind: 'paid' }]);
    expect(effects(order, captured('pi_2'))).toEqual([{ kind: 'paid' }]);
  });

  test('is not refunded before it is known', () => {
    const early: PaymentFact = { kind: 'decision', status: 'paid', payments: ['pi_1'], observedAt: 9 };
    expect(settle(fresh, [early])).toMatchObject({ status: 'paid', amountRefunded: 0 });
  });

  test.each([
    [5_000, 'paid', 0],
    [5_001, 'partially_refunded', 1],
    [14_999, 'partially_refunded', 9_999],
    [15_000, 'refunded', 10_000],
  ])(
    'of more than the price: %d cents back are %s, since the surplus goes back first',
    (amount, status, counted) => {
      const order = decided(captured('pi_1', 15_000));
      const settlement = settle(order, [refund('re_1', 'succeeded', amount)]);
      expect(settlement).toMatchObject({ status, amountRefunded: counted });
      expect(settlement.effects.filter(({ kind }) => kind === 'refunded')).toHaveLength(counted > 0 ? 1 : 0);
    },
  );

  test('a payment that is not among the captures does not count', () => {
    const order = orderAfter(captured('pi_1', 3_000), {
      kind: 'decision',
      status: 'paid',
      payments: ['pi_1', 'pi_gone'],
      observedAt: 9,
    });
    expect(settle(order, [refund('re_1', 'succeeded', 3_000)]).status).toBe('refunded');
  });
});

describe('more went back than a payment took', () => {
  const lost = (options = {}) =>
    ({ ...dispute('lost', { amount: 10_000, ...options }), paymentId: 'pi_1' }) as PaymentFact;
  const credited = (...facts: PaymentFact[]) =>
    effects(orderAfter(captured(), refund('re_1', 'succeeded', 6_000)), ...facts).filter(
      ({ kind }) => kind === 'double_credit',
    );

  test('by a refund and a lost dispute: staff are alerted, once', () => {
    const alert = { kind: 'double_credit', paymentId: 'pi_1', taken: 10_000, returned: 16_000 };
    expect(credited(lost())).toEqual([alert]);
    const refunded = orderAfter(captured(), lost(), refund('re_1', 'pending', 6_000));
    expect(effects(refunded, refund('re_1', 'succeeded', 6_000, { observedAt: 2 }))).toContainEqual(alert);
    const known = orderAfter(captured(), refund('re_1', 'succeeded', 6_000), lost());
    expect(effects(known, refund('re_2', 'succeeded', 4_000))).not.toContainEqual(
      expect.objectContaining({ kind: 'double_credit' }),
    );
  });

  test('not by two bookings of one dispute, which was won in between', () => {
    const booking = (id: string) => ({ ...refund(id, 'succeeded', 10_000), isReversal: true }) as PaymentFact;
    const about = (outcome: 'won' | 'lost', observedAt: number) =>
      ({
        ...dispute(outcome, { observedAt, amount: 10_000, bookedAsRefund: true }),
        paymentId: 'pi_1',
      }) as PaymentFact;
    const won = orderAfter(captured(), booking('re_1'), about('lost', 1), about('won', 2));
    expect(won.status).toBe('paid');
    const lostAgain = settle(won, [about('lost', 3), booking('re_2')]);
    expect(lostAgain).toMatchObject({ status: 'refunded', amountRefunded: 10_000 });
    expect(lostAgain.effects.map(({ kind }) => kind)).toEqual(['refunded', 'dispute_closed']);
  });

  test('of a second payment', () => {
    const order = orderAfter(captured(), captured('pi_2'), {
      ...dispute('lost', { amount: 10_000 }),
      paymentId: 'pi_2',
    } as PaymentFact);
    const refunded = refund('re_1', 'succeeded', 10_000, { paymentId: 'pi_2' });
    expect(effects(order, refunded)).toContainEqual(
      expect.objectContaining({ kind: 'double_credit', paymentId: 'pi_2', returned: 20_000 }),
    );
  });

  test.each<[string, PaymentFact]>([
    ['the dispute took the rest only', lost({ amount: 4_000 })],
    ['the provider booked the dispute as a refund', lost({ bookedAsRefund: true })],
    ['the dispute is open', { ...lost(), outcome: 'open' } as PaymentFact],
    ['the dispute is won', { ...lost(), outcome: 'won' } as PaymentFact],
    ['the dispute names no payment, as of earlier releases', dispute('lost', { amount: 10_000 })],
  ])('not if %s', (_why, fact) => {
    expect(credited(fact)).toEqual([]);
  });
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type OrderState, settle } from '../../core/order-lifecycle.ts';
import { NO_FACTS, type PaymentFact } from '../../core/payment-facts.ts';
import { factOfDispute, factsOfOrder, metadataOf, type PaypalOrder, paypalOrder } from './facts.ts';

const PRICE = 299_900;
const unpaid: OrderState = { status: 'pending', amount: PRICE, currency: 'USD', facts: NO_FACTS };

/** What happens to one payment at PayPal. */
const story = fc.record({
  review: fc.boolean(),
  denied: fc.boolean(),
  refunds: fc.array(fc.integer({ min: 1, max: 150_000 }), { maxLength: 3 }),
  dispute: fc.constantFrom('none', 'open', 'won', 'lost'),
});
type Story = typeof story extends fc.Arbitrary<infer S> ? S : never;

test('in any order, with any repetition, what PayPal says ends in the same state', () => {
  const arrivals = story.chain((told) => {
    const observations = observe(told);
    const all = fc.shuffledSubarray(observations, { minLength: observations.length });
    const more = fc.array(fc.constantFrom(...observations), { maxLength: 6 });
    return fc.tuple(fc.constant(observations), all, more);
  });
  fc.assert(
    fc.property(arrivals, ([inOrder, shuffled, repeated]) => {
      const expected = endOf(inOrder);
      expect(endOf([...repeated, ...shuffled])).toEqual(expected);
      expect(endOf([...shuffled, ...repeated])).toEqual(expected);
    }),
    { numRuns: 500 },
  );
});

test('what was refunded is the sum of the refunds, never more than the price', () => {
  fc.assert(
    fc.property(story, (told) => {
      const { amountRefunded, status } = endOf(observe(told));
      const refunded = sum(allRefunds(told));
      expect(amountRefunded).toBe(wasPaid(told) ? Math.min(PRICE, refunded) : 0);
      if (wasPaid(told)) expect(['paid', 'partially_refunded', 'refunded', 'disputed']).toContain(status);
      else expect(status).toBe('failed');
    }),
  );
});

test('a payment of another amount or currency is never paid', () => {
  const other = fc
    .tuple(fc.integer({ min: 1, max: 999_999 }), fc.constantFrom('USD', 'EUR', 'JPY'))
    .filter(([cents, currency]) => cents !== PRICE || currency !== 'USD');
  fc.assert(
    fc.property(other, ([cents, currency]) => {
      const amount = { currency_code: currency, value: currency === 'JPY' ? String(cents) : decimal(cents) };
      const order = document([{ id: 'CAP', status: 'COMPLETED', amount }]);
      expect(settle(unpaid, factsOfOrder(order, 1)).status).toBe('review');
    }),
  );
});

describe('whose a payment is, its invoice id says', () => {
  const orderId = 'd7a0a3bb-6c1f-4d6b-9f43-0a0000000000';
  test.each([
    [`querywright-production-${orderId}`, { app: 'querywright', deployment: 'production' }],
    [`querywright-eu-west-1-${orderId}`, { app: 'querywright', deployment: 'eu-west-1' }],
    ['shop-4711', { app: 'another application', deployment: undefined }],
    [undefined, { app: 'another application', deployment: undefined }],
  ])('%s', (invoice_id, expected) => {
    expect(metadataOf({ custom_id: orderId, invoice_id })).toEqual({ ...expected, orderId });
  });
});

/** Each look at the payment, in the order in which things happened there. */
function observe(told: Story): PaymentFact[][] {
  const looks: PaymentFact[][] = [];
  const look = (order: PaypalOrder, dispute?: PaymentFact) => {
    looks.push([...factsOfOrder(order, looks.length), ...(dispute ? [dispute] : [])]);
  };
  const amount = { currency_code: 'USD', value: decimal(PRICE) };
  if (told.review) look(document([{ id: 'CAP', status: 'PENDING', amount }]));
  if (!wasPaid(told)) {
    look(document([{ id: 'CAP', status: 'DECLINED', amount }]));
    return looks;
  }
  const refunds = allRefunds(told);
  look(document([{ id: 'CAP', status: 'COMPLETED', amount }]));
  if (told.dispute !== 'none') look(document([{ id: 'CAP', status: 'COMPLETED', amount }]), dispute('open'));
  for (let made = 1; made <= refunds.length; made++) {
    const soFar = refunds.slice(0, made);
    const status = sum(soFar) === PRICE ? 'REFUNDED' : 'PARTIALLY_REFUNDED';
    look(document([{ id: 'CAP', status, amount }], soFar));
  }
  const status =
    sum(refunds) === PRICE ? 'REFUNDED' : refunds.length > 0 ? 'PARTIALLY_REFUNDED' : 'COMPLETED';
  const closed = told.dispute === 'won' || told.dispute === 'lost' ? dispute(told.dispute) : undefined;
  look(document([{ id: 'CAP', status, amount }], refunds), closed);
  return looks;
}

function wasPaid({ review, denied }: Story): boolean {
  return !(review && denied);
}

/** The refunds that PayPal would allow, and the one by which it books a lost dispute. */
function allRefunds({ refunds, dispute }: Story): number[] {
  const allowed: number[] = [];
  for (const cents of refunds) if (sum(allowed) + cents <= PRICE) allowed.push(cents);
  const left = PRICE - sum(allowed);
  return dispute === 'lost' && left > 0 ? [...allowed, left] : allowed;
}

function document(captures: object[], refunds: number[] = []): PaypalOrder {
  return paypalOrder.parse({
    id: 'ORDER',
    status: 'COMPLETED',
    purchase_units: [
      {
        payments: {
          captures,
          refunds: refunds.map((cents, index) => ({
            id: `REF${index}`,
            status: 'COMPLETED',
            amount: { currency_code: 'USD', value: decimal(cents) },
            links: [{ rel: 'up', href: 'https://api-m.paypal.com/v2/payments/captures/CAP' }],
          })),
        },
      },
    ],
  });
}

function dispute(outcome: 'open' | 'won' | 'lost'): PaymentFact {
  const codes = { open: undefined, won: 'RESOLVED_SELLER_FAVOUR', lost: 'RESOLVED_BUYER_FAVOUR' };
  return factOfDispute(
    'ORDER',
    {
      dispute_id: 'PP-D-1',
      status: outcome === 'open' ? 'UNDER_REVIEW' : 'RESOLVED',
      dispute_amount: { currency_code: 'USD', value: decimal(PRICE) },
      dispute_outcome: codes[outcome] ? { outcome_code: codes[outcome] } : undefined,
      disputed_transactions: [{ seller_transaction_id: 'CAP' }],
    },
    outcome === 'open' ? 0 : 1,
  );
}

function endOf(observations: PaymentFact[][]) {
  let state = unpaid;
  let amountRefunded = 0;
  for (const facts of observations) {
    const next = settle(state, facts);
    amountRefunded = next.amountRefunded;
    state = { ...state, status: next.status, facts: next.facts };
  }
  return { status: state.status, amountRefunded };
}

function decimal(cents: number): string {
  return (cents / 100).toFixed(2);
}

function sum(amounts: number[]): number {
  return amounts.reduce((total, cents) => total + cents, 0);
}

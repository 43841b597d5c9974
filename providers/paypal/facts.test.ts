import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { settle } from '../../core/order-lifecycle.ts';
import type { OrderState } from '../../core/order-state.ts';
import { NO_FACTS, type PaymentFact } from '../../core/payment-facts.ts';
import {
  captureOfRefund,
  factOfDispute,
  factOfRefund,
  factsOfOrder,
  factsWithDispute,
  fromMoney,
  invoiceIdOf,
  isOurInvoice,
  metadataOf,
  namedOrder,
  orderOfCapture,
} from './facts.ts';
import {
  type PaypalOrder,
  paypalCapture,
  paypalDispute,
  paypalEvent,
  paypalEventPage,
  paypalOrder,
  paypalRefund,
} from './resources.ts';

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

test('PayPal’s reports lead to the same state in any order, with any repetition', () => {
  const arrivals = story.chain((drawn) => {
    const observations = observe(drawn);
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

test('the refunded amount is the sum of the refunds, never more than the price', () => {
  fc.assert(
    fc.property(story, (drawn) => {
      const { amountRefunded, status } = endOf(observe(drawn));
      const refunded = sum(allRefunds(drawn));
      expect(amountRefunded).toBe(wasPaid(drawn) ? Math.min(PRICE, refunded) : 0);
      if (wasPaid(drawn)) expect(['paid', 'partially_refunded', 'refunded', 'disputed']).toContain(status);
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

describe('the invoice id says whose a payment is', () => {
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

describe('the order that a payment names', () => {
  const orderId = 'd7a0a3bb-6c1f-4d6b-9f43-0a0000000000';

  test('is in the invoice id that we write, with the deployment', () => {
    const invoice_id = invoiceIdOf('eu-west-1', orderId);
    expect(invoice_id).toBe(`querywright-eu-west-1-${orderId}`);
    expect(isOurInvoice(invoice_id)).toBe(true);
    expect(namedOrder({ invoice_id })).toBe(orderId);
  });

  test('is in the custom id first', () => {
    expect(namedOrder({ custom_id: 'other', invoice_id: invoiceIdOf('test', orderId) })).toBe('other');
  });

  test.each(['shop-1', `x${invoiceIdOf('test', orderId)}`, `${invoiceIdOf('test', orderId)}x`, undefined])(
    'is not in %s',
    (invoice_id) => {
      expect(isOurInvoice(invoice_id ?? '')).toBe(false);
      expect(namedOrder({ ...(invoice_id ? { invoice_id } : {}) })).toBeUndefined();
    },
  );
});

describe('facts of an order of PayPal’s', () => {
  const amount = { currency_code: 'USD', value: '50.00' };
  const money = {
    kind: 'captured',
    paymentId: 'ORDER',
    captureId: 'CAP',
    provider: 'paypal',
    amount: 5_000,
    currency: 'USD',
  };
  const attempt = { kind: 'attempt', paymentId: 'ORDER', observedAt: 7 };

  test.each<[string, object[]]>([
    ['COMPLETED', [money]],
    ['PARTIALLY_REFUNDED', [money]],
    ['REFUNDED', [money, { kind: 'refunded_total', paymentId: 'ORDER', total: 5_000 }]],
    ['PENDING', [{ ...attempt, status: 'processing', reason: null }]],
    ['DECLINED', [{ ...attempt, status: 'failed', reason: 'PayPal declined the payment.' }]],
    ['FAILED', [{ ...attempt, status: 'failed', reason: 'PayPal declined the payment.' }]],
  ])('whose capture is %s', (status, facts) => {
    expect(factsOfOrder(document([{ id: 'CAP', status, amount }]), 7)).toEqual(facts);
  });

  test.each([
    ['UNILATERAL', { heldFor: 'UNILATERAL' }],
    ['VERIFICATION_REQUIRED', { heldFor: 'VERIFICATION_REQUIRED' }],
    ['ECHECK', {}],
    ['PENDING_REVIEW', {}],
  ])('whose capture is pending for %s', (reason, held) => {
    const capture = { id: 'CAP', status: 'PENDING', amount, status_details: { reason } };
    const waiting = { ...attempt, status: 'processing', reason: null, ...held };
    expect(factsOfOrder(document([capture]), 7)).toEqual([waiting]);
  });

  test('with its refunds', () => {
    const [, refunded] = factsOfOrder(document([{ id: 'CAP', status: 'COMPLETED', amount }], [700]), 7);
    expect(refunded).toEqual({
      kind: 'refund',
      refundId: 'REF0',
      paymentId: 'ORDER',
      amount: 700,
      status: 'succeeded',
      observedAt: 7,
    });
  });

  test('that is voided', () => {
    expect(factsOfOrder(paypalOrder.parse({ id: 'ORDER', status: 'VOIDED' }), 7)).toEqual([
      { ...attempt, status: 'canceled', reason: 'voided' },
    ]);
  });

  test.each([{}, { purchase_units: [] }, { purchase_units: [{}] }, { purchase_units: [{ payments: {} }] }])(
    'without a capture are none: %j',
    (parts) => {
      expect(factsOfOrder(paypalOrder.parse({ id: 'ORDER', status: 'APPROVED', ...parts }), 7)).toEqual([]);
    },
  );

  test.each([
    ['JPY', '50', 5_000],
    ['JPY', '5000', 500_000],
    ['EUR', '50.00', 5_000],
    ['TND', '50.125', 5_013],
    ['USD', '50', 5_000],
  ])('in %s: %s', (currency_code, value, cents) => {
    const other = document([{ id: 'CAP', status: 'COMPLETED', amount: { currency_code, value } }]);
    expect(factsOfOrder(other, 7)).toEqual([{ ...money, amount: cents, currency: currency_code }]);
  });
});

test.each([
  ['JPY', 500_000, '5000'],
  ['EUR', 5_000, '50.00'],
])('money in %s is written as PayPal takes it', (currency, amount, value) => {
  expect(fromMoney({ currency, amount })).toEqual({ currencyCode: currency, value });
});

const orderId = '3f0c9a52-8a1e-4a53-9d54-1c1c1c1c1c1c';

test.each([
  ['PENDING', 'pending'],
  ['COMPLETED', 'succeeded'],
  ['FAILED', 'failed'],
  ['CANCELLED', 'canceled'],
  ['SOMETHING_NEW', 'pending'],
])('a refund that is %s is %s', (status, expected) => {
  const refund = paypalRefund.parse({ id: 'REF', status, amount: { currency_code: 'USD', value: '7.00' } });
  expect(factOfRefund('ORDER', refund, 7, orderId)).toMatchObject({ status: expected, amount: 700 });
});

test.each([
  ['the key of our request', 'c0ffee00-0000-4000-8000-000000000000', true],
  ['the order’s id, copied from the capture', orderId, undefined],
  ['nothing', undefined, undefined],
])('a refund that carries %s: ours %s', (_what, custom_id, isOurs) => {
  const amount = { currency_code: 'USD', value: '7.00' };
  const refund = paypalRefund.parse({ id: 'REF', status: 'COMPLETED', amount, custom_id });
  expect(Reflect.get(factOfRefund('ORDER', refund, 7, orderId), 'isOurs')).toBe(isOurs);
});

describe('a link upwards', () => {
  const up = (href: string, rel = 'up') => [
    { rel: 'self', href: 'https://api-m.paypal.com/v2/payments/captures/SELF' },
    { rel, href },
  ];
  const amount = { currency_code: 'USD', value: '7.00' };
  const refund = (links: object[]) => paypalRefund.parse({ id: 'REF', status: 'COMPLETED', amount, links });
  const capture = (parts: object) =>
    paypalCapture.parse({ id: 'CAP', status: 'COMPLETED', amount, ...parts });

  test('names the capture of a refund', () => {
    expect(captureOfRefund(refund(up('https://api-m.paypal.com/v2/payments/captures/CAP1')))).toBe('CAP1');
    expect(captureOfRefund(refund(up('https://api-m.paypal.com/v2/payments/captures/CAP1', 'x')))).toBe(
      undefined,
    );
    expect(captureOfRefund(refund(up('https://api-m.paypal.com/v2/payments/captures/CAP1/more')))).toBe(
      undefined,
    );
    expect(captureOfRefund(refund([]))).toBeUndefined();
    expect(captureOfRefund(refund(up('https://api-m.paypal.com/v2/checkout/orders/ORDER')))).toBeUndefined();
  });

  test('names the order of a capture whose related ids are left out', () => {
    const links = up('https://api-m.paypal.com/v2/checkout/orders/LINKED');
    expect(orderOfCapture(capture({ links }))).toBe('LINKED');
    expect(orderOfCapture(capture({ links, supplementary_data: {} }))).toBe('LINKED');
    expect(orderOfCapture(capture({ links, supplementary_data: { related_ids: {} } }))).toBe('LINKED');
    const related_ids = { order_id: 'RELATED' };
    expect(orderOfCapture(capture({ links, supplementary_data: { related_ids } }))).toBe('RELATED');
    expect(orderOfCapture(capture({}))).toBeUndefined();
  });
});

describe('facts of a dispute', () => {
  const open = {
    dispute_id: 'PP-D-1',
    status: 'UNDER_REVIEW',
    dispute_amount: { currency_code: 'USD', value: '7.00' },
  };
  const fact = (change: object) => factOfDispute('ORDER', paypalDispute.parse({ ...open, ...change }), 7);

  test.each([
    ['UNDER_REVIEW', undefined, 'open'],
    ['UNDER_REVIEW', 'RESOLVED_BUYER_FAVOUR', 'open'],
    ['RESOLVED', 'RESOLVED_SELLER_FAVOUR', 'won'],
    ['RESOLVED', 'CANCELED_BY_BUYER', 'won'],
    ['RESOLVED', undefined, 'won'],
    ['RESOLVED', 'RESOLVED_BUYER_FAVOUR', 'lost'],
    ['RESOLVED', 'ACCEPTED', 'lost'],
  ])('%s, %s is %s', (status, outcome_code, outcome) => {
    const dispute_outcome = outcome_code ? { outcome_code } : undefined;
    expect(fact({ status, dispute_outcome })).toEqual({
      kind: 'dispute',
      disputeId: 'PP-D-1',
      paymentId: 'ORDER',
      amount: 700,
      outcome,
      observedAt: 7,
      bookedAsRefund: true,
      ...(outcome === 'won' ? { isDecided: true } : {}),
    });
  });

  test('the refund by which PayPal books a lost one is marked', () => {
    const refund = (refundId: string, amount: number, more: object = {}) =>
      ({ kind: 'refund', refundId, amount, status: 'succeeded', ...more }) as PaymentFact;
    const facts = [
      refund('BOOKING', 700),
      refund('OURS', 700, { isOurs: true }),
      refund('OTHER', 600),
      refund('PENDING', 700, { status: 'pending' }),
      refund('FAILED', 700, { status: 'failed' }),
    ];
    const marked = (change: object) =>
      factsWithDispute({ paymentId: 'ORDER', facts }, paypalDispute.parse({ ...open, ...change }), 7)
        .filter((known) => known.kind === 'refund' && known.isReversal)
        .map((known) => Reflect.get(known, 'refundId'));
    const dispute_outcome = { outcome_code: 'RESOLVED_BUYER_FAVOUR' };
    expect(marked({ status: 'RESOLVED', dispute_outcome })).toEqual(['BOOKING']);
    expect(marked({ status: 'RESOLVED' })).toEqual([]);
    expect(marked({})).toEqual([]);
  });

  test.each([
    ['NONE', 'none'],
    ['RESOLVED_WITH_PAYOUT', 'payout'],
  ])('one that no one won took nothing: %s', (outcome_code, ending) => {
    const amount_refunded = open.dispute_amount;
    const closed = fact({ status: 'RESOLVED', dispute_outcome: { outcome_code, amount_refunded } });
    expect(closed).toMatchObject({ outcome: 'won', ending });
    expect(fact({ dispute_outcome: { outcome_code } })).not.toHaveProperty('ending');
  });

  test('one about several payments concerns at most what this one took', () => {
    const captured = { kind: 'captured', paymentId: 'ORDER', currency: 'USD' } as const;
    const dispute = paypalDispute.parse(open);
    const amountIfTaken = (amount: number) =>
      factsWithDispute({ paymentId: 'ORDER', facts: [{ ...captured, amount }] }, dispute, 7).at(-1);
    expect(amountIfTaken(500)).toMatchObject({ kind: 'dispute', amount: 500 });
    expect(amountIfTaken(900)).toMatchObject({ kind: 'dispute', amount: 700 });
    expect(factsWithDispute({ paymentId: 'ORDER', facts: [] }, dispute, 7)).toEqual([fact({})]);
  });

  test('a lost one took what PayPal says that it took, which may be a part', () => {
    const closed = (outcome_code: string, currency_code = 'USD') => {
      const amount_refunded = { currency_code, value: '3.00' };
      return fact({ status: 'RESOLVED', dispute_outcome: { outcome_code, amount_refunded } });
    };
    expect(closed('RESOLVED_BUYER_FAVOUR')).toMatchObject({ outcome: 'lost', amount: 300 });
    expect(closed('RESOLVED_BUYER_FAVOUR', 'EUR')).toMatchObject({ outcome: 'lost', amount: 700 });
    expect(closed('RESOLVED_SELLER_FAVOUR')).toMatchObject({ outcome: 'won', amount: 700 });
  });

  test.each([
    ['INTERNAL', 'OPEN', true],
    ['INTERNAL', 'WAITING_FOR_SELLER_RESPONSE', true],
    ['INTERNAL', 'UNDER_REVIEW', undefined],
    ['INTERNAL', 'WAITING_FOR_BUYER_RESPONSE', undefined],
    ['INTERNAL', 'RESOLVED', undefined],
    ['EXTERNAL', 'OPEN', undefined],
    ['EXTERNAL', 'WAITING_FOR_SELLER_RESPONSE', undefined],
    [undefined, 'OPEN', undefined],
  ])('a refund may end one of channel %s, %s: %s', (dispute_channel, status, isRefundable) => {
    expect(fact({ dispute_channel, status })).toHaveProperty('kind', 'dispute');
    expect(Reflect.get(fact({ dispute_channel, status }), 'isRefundable')).toBe(isRefundable);
  });

  test('with its reason and the deadline for evidence', () => {
    const seller_response_due_date = '2026-11-30T00:00:00.000Z';
    const details = {
      ...{ status: 'WAITING_FOR_SELLER_RESPONSE', reason: 'UNAUTHORISED' },
      seller_response_due_date,
    };
    expect(fact(details)).toMatchObject({
      reason: 'UNAUTHORISED',
      evidenceDueAt: Date.parse(seller_response_due_date),
    });
    expect(fact({ seller_response_due_date })).not.toHaveProperty('evidenceDueAt');
    expect(fact({ ...details, seller_response_due_date: 'soon' })).not.toHaveProperty('evidenceDueAt');
  });
});

describe('resources of another shape are refused', () => {
  const amount = { currency_code: 'USD', value: '7.00' };
  test.each([
    [paypalCapture, { id: 'CAP', status: 'COMPLETED' }],
    [paypalCapture, { id: 'CAP', amount }],
    [paypalCapture, { id: 'CAP', status: 'COMPLETED', amount: { value: '7.00' } }],
    [paypalRefund, { status: 'COMPLETED', amount }],
    [paypalOrder, { status: 'COMPLETED' }],
    [paypalOrder, { id: 'ORDER', status: 'COMPLETED', purchase_units: {} }],
    [paypalDispute, { status: 'RESOLVED', dispute_amount: amount }],
    [paypalDispute, { dispute_id: 'PP-D-1', dispute_amount: amount }],
    [paypalEvent, { event_type: 'X' }],
    [paypalEvent, { id: 'WH-1' }],
    [paypalEventPage, { events: [{}] }],
  ])('%#', (schema, value) => {
    expect(() => schema.parse(value)).toThrow();
  });

  test.each(['', '-5.00', '1e3', '1,000.00', 'NaN', '0x10', '9'.repeat(13), '1.2345'])(
    'an amount of %j',
    (value) => {
      const capture = { id: 'CAP', status: 'COMPLETED', amount: { currency_code: 'EUR', value } };
      expect(() => paypalCapture.parse(capture)).toThrow();
    },
  );
});

/** Each look at the payment, in the order in which things happened there. */
function observe(drawn: Story): PaymentFact[][] {
  const looks: PaymentFact[][] = [];
  const look = (order: PaypalOrder, dispute?: PaymentFact) => {
    looks.push([...factsOfOrder(order, looks.length), ...(dispute ? [dispute] : [])]);
  };
  const amount = { currency_code: 'USD', value: decimal(PRICE) };
  if (drawn.review) look(document([{ id: 'CAP', status: 'PENDING', amount }]));
  if (!wasPaid(drawn)) {
    look(document([{ id: 'CAP', status: 'DECLINED', amount }]));
    return looks;
  }
  const refunds = allRefunds(drawn);
  look(document([{ id: 'CAP', status: 'COMPLETED', amount }]));
  if (drawn.dispute !== 'none') look(document([{ id: 'CAP', status: 'COMPLETED', amount }]), dispute('open'));
  for (let made = 1; made <= refunds.length; made++) {
    const soFar = refunds.slice(0, made);
    const status = sum(soFar) === PRICE ? 'REFUNDED' : 'PARTIALLY_REFUNDED';
    look(document([{ id: 'CAP', status, amount }], soFar));
  }
  const status =
    sum(refunds) === PRICE ? 'REFUNDED' : refunds.length > 0 ? 'PARTIALLY_REFUNDED' : 'COMPLETED';
  const closed = drawn.dispute === 'won' || drawn.dispute === 'lost' ? dispute(drawn.dispute) : undefined;
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

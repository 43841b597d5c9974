import { describe, expect, test, vi } from 'vitest';
import type { PaymentReport } from '../../core/payment-reports.ts';
import { ProviderError } from '../provider-error.ts';
import { readers, readPaypalEvent } from './events.ts';

const live: PaymentReport = { paymentId: 'ORDER', metadata: {}, facts: [], stage: 'open' };
const orderId = 'd7a0a3bb-6c1f-4d6b-9f43-0a0000000000';

function source(answer: PaymentReport | undefined = live, updatedAt?: string) {
  return {
    report: vi.fn(async (_id: string) => live),
    reportOfCapture: vi.fn(async (_id: string) => answer),
    reportOfDispute: vi.fn(async (_id: string) => answer && { report: answer, updatedAt }),
  };
}
const unnamed = () => ({
  ...source(),
  reportOfCapture: vi.fn(async () => undefined),
  reportOfDispute: vi.fn(async () => undefined),
});

const event = (event_type: string, resource: unknown) => ({ id: 'WH-1', event_type, resource });
const amount = { currency_code: 'USD', value: '5.00' };
const capture = {
  id: 'CAP',
  status: 'COMPLETED',
  amount,
  custom_id: orderId,
  invoice_id: `querywright-test-${orderId}`,
  supplementary_data: { related_ids: { order_id: 'ORDER' } },
};
const refund = {
  id: 'REF',
  status: 'COMPLETED',
  amount,
  links: [{ rel: 'up', href: 'https://api-m.paypal.com/v2/payments/captures/CAP' }],
};

test('an approved order is looked up', async () => {
  const asked = source();
  expect(await readPaypalEvent(asked, event('CHECKOUT.ORDER.APPROVED', { id: 'ORDER' }))).toEqual({
    report: live,
  });
  expect(asked.report).toHaveBeenCalledExactlyOnceWith('ORDER');
});

test('a reversed approval is looked up', async () => {
  const asked = source();
  const resource = { order_id: 'ORDER' };
  expect(await readPaypalEvent(asked, event('CHECKOUT.PAYMENT-APPROVAL.REVERSED', resource))).toEqual({
    report: live,
  });
  expect(asked.report).toHaveBeenCalledExactlyOnceWith('ORDER');
});

describe('a completed capture', () => {
  test('is taken from the event', async () => {
    const asked = source();
    expect(await readPaypalEvent(asked, event('PAYMENT.CAPTURE.COMPLETED', capture))).toEqual({
      report: {
        paymentId: 'ORDER',
        metadata: { app: 'querywright', deployment: 'test', orderId },
        facts: [
          {
            kind: 'captured',
            paymentId: 'ORDER',
            captureId: 'CAP',
            provider: 'paypal',
            amount: 500,
            currency: 'USD',
          },
        ],
        stage: 'closed',
      },
    });
    expect(asked.reportOfCapture).not.toHaveBeenCalled();
  });

  test('without its order is looked up', async () => {
    const { supplementary_data: _, ...bare } = capture;
    const asked = source();
    expect(await readPaypalEvent(asked, event('PAYMENT.CAPTURE.COMPLETED', bare))).toEqual({ report: live });
    expect(asked.reportOfCapture).toHaveBeenCalledExactlyOnceWith('CAP');
  });

  test('without our order’s id is looked up: PayPal’s order has it', async () => {
    const { custom_id: _, ...nameless } = capture;
    const asked = source();
    expect(await readPaypalEvent(asked, event('PAYMENT.CAPTURE.COMPLETED', nameless))).toEqual({
      report: live,
    });
    expect(asked.reportOfCapture).toHaveBeenCalledExactlyOnceWith('CAP');
    const gone = (statusCode: number) => ({
      ...source(),
      reportOfCapture: vi.fn(async () => {
        throw new ProviderError('paypal', 'PayPal: refused', { statusCode, cause: undefined });
      }),
    });
    expect(await readPaypalEvent(gone(404), event('PAYMENT.CAPTURE.COMPLETED', nameless))).toMatchObject({
      report: { paymentId: 'ORDER', facts: [{ kind: 'captured', captureId: 'CAP' }], stage: 'closed' },
    });
    const unanswered = readPaypalEvent(gone(503), event('PAYMENT.CAPTURE.COMPLETED', nameless));
    await expect(unanswered).rejects.toThrow('refused');
  });

  test('that cannot be attributed is unknown; one of another application on the account is ignored', async () => {
    const { supplementary_data: _, ...bare } = capture;
    expect(await readPaypalEvent(unnamed(), event('PAYMENT.CAPTURE.COMPLETED', bare))).toEqual({
      unknown: `PayPal’s event names no order (custom id ${orderId}, invoice querywright-test-${orderId})`,
    });
    const nameless = { ...bare, custom_id: undefined, invoice_id: undefined };
    expect(await readPaypalEvent(unnamed(), event('PAYMENT.CAPTURE.COMPLETED', nameless))).toEqual({
      unknown: 'PayPal’s event names no order (custom id none, invoice none)',
    });
    const foreign = { ...bare, invoice_id: 'shop-1' };
    expect(await readPaypalEvent(unnamed(), event('PAYMENT.CAPTURE.COMPLETED', foreign))).toEqual({
      ignored: 'belongs to another application on this account',
    });
  });
});

test.each(['PAYMENT.CAPTURE.PENDING', 'PAYMENT.CAPTURE.DENIED', 'PAYMENT.CAPTURE.DECLINED'])(
  '%s is looked up',
  async (type) => {
    const asked = source();
    expect(await readPaypalEvent(asked, event(type, { id: 'CAP' }))).toEqual({ report: live });
    expect(asked.reportOfCapture).toHaveBeenCalledExactlyOnceWith('CAP');
  },
);

describe('refunds', () => {
  test.each([
    ['FAILED', 'pending', 'succeeded'],
    ['CANCELLED', 'succeeded', 'pending'],
  ] as const)('%s is looked up again while PayPal shows it as %s or %s', async (status, first, second) => {
    const shownAs = (shown: 'pending' | 'succeeded' | 'failed' | 'canceled') =>
      source({
        ...live,
        facts: [
          { kind: 'refund', refundId: 'REF', paymentId: 'ORDER', amount: 500, status: shown, observedAt: 1 },
        ],
      });
    const failed = event('PAYMENT.REFUND.FAILED', { ...refund, status });
    for (const shown of [first, second]) {
      expect(await readPaypalEvent(shownAs(shown), failed)).toEqual({
        unknown: `PayPal shows refund REF as ${shown}, its event as ${status === 'FAILED' ? 'failed' : 'canceled'}`,
      });
    }
    const agreed = shownAs(status === 'FAILED' ? 'failed' : 'canceled');
    expect(await readPaypalEvent(agreed, failed)).toHaveProperty('report');
    const completed = event('PAYMENT.CAPTURE.REFUNDED', { ...refund, status: 'COMPLETED' });
    expect(await readPaypalEvent(shownAs('pending'), completed)).toEqual({
      unknown: 'PayPal shows refund REF as pending, its event as succeeded',
    });
    for (const shown of ['succeeded', 'failed'] as const) {
      expect(await readPaypalEvent(shownAs(shown), completed)).toHaveProperty('report');
    }
  });

  test.each(
    Object.keys(readers).filter((type) => /REFUND|REVERSED$/.test(type) && type.startsWith('PAYMENT.')),
  )('%s is asked about, and its own word added', async (type) => {
    const asked = source();
    expect(await readPaypalEvent(asked, event(type, refund))).toEqual({
      report: {
        ...live,
        facts: [
          {
            kind: 'refund',
            refundId: 'REF',
            paymentId: 'ORDER',
            amount: 500,
            status: 'succeeded',
            observedAt: 0,
            ...(type === 'PAYMENT.CAPTURE.REVERSED' ? { isReversal: true } : {}),
          },
        ],
      },
    });
    expect(asked.reportOfCapture).toHaveBeenCalledExactlyOnceWith('CAP');
  });

  test('a reversal that carries the capture itself', async () => {
    const asked = source();
    const reversed = { id: 'CAP', status: 'REVERSED', amount };
    expect(await readPaypalEvent(asked, event('PAYMENT.CAPTURE.REVERSED', reversed))).toEqual({
      report: live,
    });
    expect(asked.reportOfCapture).toHaveBeenCalledExactlyOnceWith('CAP');
  });

  test('one that cannot be attributed is unknown', async () => {
    expect(await readPaypalEvent(unnamed(), event('PAYMENT.CAPTURE.REFUNDED', refund))).toHaveProperty(
      'unknown',
    );
  });
});

describe('disputes', () => {
  test.each(['CREATED', 'UPDATED', 'RESOLVED'])('CUSTOMER.DISPUTE.%s is looked up', async (what) => {
    const disputed = withDispute('open');
    const asked = source(disputed);
    const resource = { dispute_id: 'PP-D-1' };
    expect(await readPaypalEvent(asked, event(`CUSTOMER.DISPUTE.${what}`, resource))).toEqual({
      report: disputed,
    });
    expect(asked.reportOfDispute).toHaveBeenCalledExactlyOnceWith('PP-D-1');
    expect(await readPaypalEvent(unnamed(), event(`CUSTOMER.DISPUTE.${what}`, resource))).toHaveProperty(
      'unknown',
    );
  });

  test.each([
    ['RESOLVED_SELLER_FAVOUR', 'open', 'of the same time', 'unknown'],
    ['RESOLVED_BUYER_FAVOUR', 'open', 'of the same time', 'unknown'],
    ['RESOLVED_SELLER_FAVOUR', 'lost', 'later', 'report'],
    ['RESOLVED_SELLER_FAVOUR', 'lost', 'of the same time', 'report'],
    ['RESOLVED_SELLER_FAVOUR', 'lost', 'of an unknown time', 'report'],
    ['RESOLVED_SELLER_FAVOUR', 'lost', 'earlier', 'unknown'],
    ['RESOLVED_BUYER_FAVOUR', 'won', 'earlier', 'unknown'],
    ['RESOLVED_BUYER_FAVOUR', 'lost', 'earlier', 'report'],
    [undefined, 'open', 'earlier', 'report'],
  ] as const)(
    'one that its event shows as %s, and PayPal as %s, %s: %s',
    async (outcome_code, outcome, when, result) => {
      const asked = source(withDispute(outcome), updateTimes[when]);
      const resource = {
        update_time: updateTimes['of the same time'],
        ...{ dispute_id: 'PP-D-1', status: outcome_code ? 'RESOLVED' : 'UNDER_REVIEW' },
        ...{ dispute_amount: amount, dispute_outcome: outcome_code && { outcome_code } },
      };
      const sentAgo = (ms: number) => ({
        ...event('CUSTOMER.DISPUTE.RESOLVED', resource),
        create_time: new Date(Date.now() - ms).toISOString(),
      });
      expect(await readPaypalEvent(asked, sentAgo(0))).toHaveProperty(result);
      expect(await readPaypalEvent(asked, sentAgo(3_600_000))).toHaveProperty('report');
    },
  );

  const updateTimes = {
    earlier: '2026-11-01T10:00:00.000Z',
    'of the same time': '2026-11-20T10:00:00.000Z',
    later: '2026-11-21T10:00:00.000Z',
    'of an unknown time': undefined,
  };

  function withDispute(outcome: 'open' | 'won' | 'lost'): PaymentReport {
    const dispute = { kind: 'dispute', disputeId: 'PP-D-1', amount: 500, outcome, observedAt: 0 } as const;
    return { ...live, facts: [dispute] };
  }
});

describe('a resource that PayPal does not show', () => {
  const ask = async () => {
    throw new ProviderError('paypal', 'PayPal: not found', { statusCode: 404, cause: undefined });
  };
  const gone = { report: ask, reportOfCapture: ask, reportOfDispute: ask };
  const ours = `querywright-test-${orderId}`;

  test.each([
    ['a refund', 'PAYMENT.CAPTURE.REFUNDED', { ...refund, invoice_id: ours, custom_id: 'a key' }, orderId],
    ['a capture', 'PAYMENT.CAPTURE.DENIED', { id: 'CAP', custom_id: orderId }, orderId],
    [
      'a dispute',
      'CUSTOMER.DISPUTE.CREATED',
      { dispute_id: 'PP-D-1', disputed_transactions: [{ custom: '4711' }, { invoice_number: ours }] },
      orderId,
    ],
    ['a nameless refund', 'PAYMENT.CAPTURE.REFUNDED', refund, undefined],
  ])('%s is missing, with the order that the event names', async (_what, type, resource, named) => {
    expect(await readPaypalEvent(gone, event(type, resource))).toEqual({
      missing: { paymentId: null, metadata: { orderId: named } },
    });
  });
});

test('another type is ignored', async () => {
  expect(await readPaypalEvent(source(), event('BILLING.PLAN.CREATED', {}))).toEqual({
    ignored: 'event type not handled',
  });
});

test.each([
  ['CHECKOUT.ORDER.APPROVED', {}],
  ['CHECKOUT.PAYMENT-APPROVAL.REVERSED', {}],
  ['PAYMENT.CAPTURE.COMPLETED', { id: 'CAP' }],
  ['PAYMENT.CAPTURE.PENDING', {}],
  ['PAYMENT.CAPTURE.REFUNDED', { id: 'REF' }],
  ['CUSTOMER.DISPUTE.CREATED', {}],
])('%s of an unexpected shape is an error', async (type, resource) => {
  await expect(readPaypalEvent(source(), event(type, resource))).rejects.toThrow();
});

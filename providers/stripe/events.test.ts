import { Stripe } from 'stripe';
import { describe, expect, test, vi } from 'vitest';
import type { PaymentFact } from '../../core/payment-facts.ts';
import type { PaymentReport } from '../../core/payment-reports.ts';
import { ProviderError } from '../provider-error.ts';
import { readers, readStripeEvent } from './events.ts';

const live: PaymentReport = {
  paymentId: 'pi_1',
  metadata: { app: 'querywright', deployment: 'test', orderId: 'live' },
  facts: [{ kind: 'attempt', paymentId: 'pi_1', status: 'failed', reason: null, observedAt: 9 }],
};

function source(answer: PaymentReport | Error = live) {
  return {
    livemode: false,
    warn: vi.fn(),
    report: vi.fn(async (_paymentId: string, _options?: { withDisputes: boolean }) => {
      if (answer instanceof Error) throw answer;
      return answer;
    }),
  };
}

test('all event types fit into one call to Stripe, which accepts 20', () => {
  expect(Object.keys(readers).length).toBeLessThanOrEqual(20);
});

const intent = {
  id: 'pi_1',
  status: 'succeeded',
  amount_received: 500,
  currency: 'usd',
  latest_charge: 'ch_1',
  metadata: { orderId: 'event' },
};
const money = {
  kind: 'captured',
  paymentId: 'pi_1',
  provider: 'stripe',
  captureId: 'ch_1',
  amount: 500,
  currency: 'USD',
};
const disputeFact = {
  ...{ kind: 'dispute', disputeId: 'dp_1', paymentId: 'pi_1', amount: 500, outcome: 'open' },
  observedAt: 9,
} as Extract<PaymentFact, { kind: 'dispute' }>;
const event = (type: string, object: unknown, change: object = {}) => ({
  id: 'evt_1',
  object: 'event',
  type,
  livemode: false,
  created: Math.floor(Date.now() / 1_000),
  api_version: Stripe.API_VERSION,
  data: { object },
  ...change,
});

describe('a success', () => {
  test('is taken from the event', async () => {
    const asked = source();
    expect(await readStripeEvent(asked, event('payment_intent.succeeded', intent))).toEqual({
      report: { paymentId: 'pi_1', metadata: { orderId: 'event' }, facts: [money], stage: 'closed' },
    });
    expect(asked.report).not.toHaveBeenCalled();
    expect(asked.warn).not.toHaveBeenCalled();
  });

  test('of an event without an API version is taken from the event too', async () => {
    const asked = source();
    await readStripeEvent(asked, event('payment_intent.succeeded', intent, { api_version: null }));
    expect(asked.report).not.toHaveBeenCalled();
    expect(asked.warn).not.toHaveBeenCalled();
  });

  test('without metadata names no order', async () => {
    const bare = { ...intent, metadata: null };
    expect(await readStripeEvent(source(), event('payment_intent.succeeded', bare))).toMatchObject({
      report: { metadata: {} },
    });
  });

  test.each([
    ['without its charge', { ...intent, latest_charge: null }, {}, undefined, 0],
    ['of another API version', intent, { api_version: '2020-08-27' }, 'ch_1', 1],
  ])(
    '%s is taken from the event, and Stripe is asked too',
    async (_what, object, change, captureId, warnings) => {
      const asked = source();
      expect(await readStripeEvent(asked, event('payment_intent.succeeded', object, change))).toEqual({
        report: {
          paymentId: 'pi_1',
          metadata: { app: 'querywright', deployment: 'test', orderId: 'event' },
          facts: [{ ...money, captureId }, ...live.facts],
          stage: 'closed',
        },
      });
      expect(asked.report).toHaveBeenCalledExactlyOnceWith('pi_1');
      expect(asked.warn).toHaveBeenCalledTimes(warnings);
    },
  );

  test('counts if Stripe is unavailable, but not if our request is invalid', async () => {
    const bare = event('payment_intent.succeeded', { ...intent, latest_charge: null });
    const away = new ProviderError('stripe', 'away', { cause: undefined });
    expect(await readStripeEvent(source(away), bare)).toMatchObject({ report: { paymentId: 'pi_1' } });
    await expect(readStripeEvent(source(new TypeError('bug')), bare)).rejects.toThrow('bug');
  });

  test('that cannot be parsed is looked up', async () => {
    const { amount_received: _, ...odd } = intent;
    expect(await readStripeEvent(source(), event('payment_intent.succeeded', odd))).toEqual({ report: live });
  });
});

test.each(Object.keys(readers))('%s without the id of its object fails by itself', async (type) => {
  const asked = source();
  await expect(readStripeEvent(asked, event(type, {}))).rejects.toThrow();
  expect(asked.report).not.toHaveBeenCalled();
});

describe('an event of a refund', () => {
  const refundAs = (status: string): PaymentReport => ({
    ...live,
    facts: [
      { kind: 'refund', refundId: 're_0', paymentId: 'pi_1', amount: 2, status: 'failed', observedAt: 9 },
      {
        kind: 'refund',
        refundId: 're_1',
        paymentId: 'pi_1',
        amount: 1,
        status: status as 'failed',
        observedAt: 9,
      },
    ],
  });
  const refund = { id: 're_1', payment_intent: 'pi_1', amount: 1 };

  test.each([
    ['failed', 'succeeded'],
    ['canceled', 'pending'],
    ['canceled', 'succeeded'],
    ['succeeded', 'pending'],
  ])('that is %s waits while Stripe still shows it as %s', async (status, shown) => {
    for (const type of ['refund.failed', 'refund.updated', 'charge.refund.updated', 'refund.created']) {
      const reading = await readStripeEvent(source(refundAs(shown)), event(type, { ...refund, status }));
      expect(reading, type).toEqual({
        unknown: `Stripe shows refund re_1 as ${shown}, its event as ${status}`,
      });
    }
  });

  test.each([
    ['failed', 'failed'],
    ['canceled', 'canceled'],
    ['failed', 'canceled'],
    ['canceled', 'failed'],
    ['succeeded', 'succeeded'],
    ['pending', 'pending'],
    ['pending', 'succeeded'],
    ['succeeded', 'failed'],
  ])('that is %s is read as Stripe shows it: %s', async (status, shown) => {
    const report = refundAs(shown);
    expect(await readStripeEvent(source(report), event('refund.updated', { ...refund, status }))).toEqual({
      report,
    });
  });

  test.each(['pending', 'succeeded', 'failed'])(
    'that is %s, and that Stripe does not list, waits for an hour',
    async (status) => {
      // It lists another one, re_0.
      const without = { ...live, facts: refundAs('failed').facts.slice(0, 1) };
      const reading = (created: number) =>
        readStripeEvent(source(without), event('refund.updated', { ...refund, status }, { created }));
      const now = Math.floor(Date.now() / 1_000);
      expect(await reading(now)).toEqual({ unknown: 'Stripe does not show refund re_1 yet' });
      expect(await reading(now - 3_700)).toEqual({ report: without });
    },
  );

  test('waits, too, if it names the sum only, and Stripe lists less of it', async () => {
    const reading = (amount_refunded: number, created = Math.floor(Date.now() / 1_000)) => {
      const charge = { id: 'ch_1', payment_intent: 'pi_1', amount_refunded };
      return readStripeEvent(source(refundAs('failed')), event('charge.refunded', charge, { created }));
    };
    expect(await reading(4)).toEqual({ unknown: 'Stripe does not show all refunds of pi_1 yet' });
    expect(await reading(3)).toHaveProperty('report');
    expect(await reading(4, 1)).toHaveProperty('report');
  });

  test('of no payment is ignored', async () => {
    const ofNone = { ...refund, status: 'failed', payment_intent: null };
    expect(await readStripeEvent(source(), event('refund.failed', ofNone))).toEqual({
      ignored: 'not of a PaymentIntent',
    });
  });
});

test('the warning names both API versions', async () => {
  const asked = source();
  await readStripeEvent(
    asked,
    event('payment_intent.canceled', { id: 'pi_1' }, { api_version: '2020-08-27' }),
  );
  expect(asked.warn.mock.calls[0]?.[0]).toContain('2020-08-27');
  expect(asked.warn.mock.calls[0]?.[0]).toContain(Stripe.API_VERSION);
});

describe('Stripe is asked about everything else', () => {
  test.each(Object.keys(readers).filter((type) => /^payment_intent\.(?!succeeded)/.test(type)))(
    '%s',
    async (type) => {
      const asked = source();
      expect(await readStripeEvent(asked, event(type, { id: 'pi_1' }))).toEqual({ report: live });
      expect(asked.report).toHaveBeenCalledExactlyOnceWith('pi_1');
    },
  );

  const ofRefunds = Object.keys(readers).filter((type) => /^(charge|refund)\.(?!dispute)/.test(type));
  test.each(ofRefunds)('%s', async (type) => {
    for (const payment of ['pi_1', { id: 'pi_1' }]) {
      const asked = source();
      const object = { id: 'x_1', payment_intent: payment };
      expect(await readStripeEvent(asked, event(type, object))).toEqual({ report: live });
      expect(asked.report).toHaveBeenCalledExactlyOnceWith('pi_1');
    }
    expect(await readStripeEvent(source(), event(type, { id: 'x_1', payment_intent: null }))).toEqual({
      ignored: 'not of a PaymentIntent',
    });
  });

  test.each(Object.keys(readers).filter((type) => type.startsWith('charge.dispute.')))(
    '%s, and for the disputes, whatever the charge says',
    async (type) => {
      const dispute = { id: 'dp_1', payment_intent: { id: 'pi_1' } };
      const asked = source({ ...live, facts: [...live.facts, disputeFact] });
      expect(await readStripeEvent(asked, event(type, dispute))).toEqual({
        report: { ...live, facts: [...live.facts, disputeFact] },
      });
      expect(asked.report).toHaveBeenCalledExactlyOnceWith('pi_1', { withDisputes: true });
      expect(await readStripeEvent(asked, event(type, { ...dispute, id: 'dp_2' }))).toEqual({
        unknown: 'Stripe does not show dispute dp_2 yet',
      });
      expect(await readStripeEvent(source(), event(type, { id: 'dp_1', payment_intent: null }))).toEqual({
        ignored: 'not of a PaymentIntent',
      });
    },
  );

  test.each([
    ['won', 'open', 'unknown', 'won'],
    ['lost', 'open', 'unknown', 'lost'],
    ['warning_closed', 'open', 'unknown', 'won'],
    ['under_review', 'open', 'report', 'open'],
    ['won', 'lost', 'report', 'won'],
    ['lost', 'won', 'report', 'lost'],
  ] as const)(
    'a dispute that its event shows as %s, and Stripe as %s: %s',
    async (status, outcome, result, ended) => {
      const asked = source({ ...live, facts: [...live.facts, { ...disputeFact, outcome }] });
      const dispute = { id: 'dp_1', payment_intent: 'pi_1', amount: 5, status };
      const reading = await readStripeEvent(asked, event('charge.dispute.closed', dispute));
      expect(reading).toHaveProperty(result);
      if (result === 'unknown') {
        expect(reading).toEqual({ unknown: `Stripe shows dispute dp_1 as open, its event as ${ended}` });
      }
      const created = Math.floor(Date.now() / 1_000) - 3_600;
      const late = event('charge.dispute.closed', dispute, { created });
      expect(await readStripeEvent(asked, late)).toHaveProperty('report');
    },
  );

  test.each([
    ['radar.early_fraud_warning.created', 'fraud_warning', { fraud_type: 'made_with_stolen_card' }],
    ['review.opened', 'review', { reason: 'made_with_stolen_card' }],
  ])('%s is an alert beside the report', async (type, kind, why) => {
    const object = { id: 'x_1', payment_intent: 'pi_1' };
    const alert = { kind, id: 'x_1', paymentId: 'pi_1' };
    expect(await readStripeEvent(source(), event(type, { ...object, ...why }))).toEqual({
      report: { ...live, alerts: [{ ...alert, detail: 'made_with_stolen_card' }] },
    });
    expect(await readStripeEvent(source(), event(type, object))).toEqual({
      report: { ...live, alerts: [{ ...alert, detail: '' }] },
    });
    expect(await readStripeEvent(source(), event(type, { id: 'x_1' }))).toEqual({
      ignored: 'not of a PaymentIntent',
    });
  });
});

test.each([
  ['payout.created', 'payout_pending'],
  ['payout.paid', 'payout_paid'],
])('%s concerns the account', async (type, kind) => {
  expect(await readStripeEvent(source(), event(type, { id: 'po_1', amount: 5, currency: 'usd' }))).toEqual({
    account: { kind, id: 'po_1', amount: 5, currency: 'USD', reason: null },
  });
});

test.each([
  ['jpy', 2_999, 299_900],
  ['kwd', 5_120, 512],
  ['eur', 2_999, 2_999],
  ['ugx', 500, 500],
])('a payout in %s is reported in hundredths', async (currency, amount, hundredths) => {
  const payout = { id: 'po_1', amount, currency };
  expect(await readStripeEvent(source(), event('payout.failed', payout))).toMatchObject({
    account: { amount: hundredths, currency: currency.toUpperCase() },
  });
});

test('a failed payout concerns the account', async () => {
  const payout = { id: 'po_1', amount: 5, currency: 'usd', failure_message: 'closed' };
  const account = { kind: 'payout_failed', id: 'po_1', amount: 5, currency: 'USD' };
  expect(await readStripeEvent(source(), event('payout.failed', payout))).toEqual({
    account: { ...account, reason: 'closed' },
  });
  const { failure_message: _, ...bare } = payout;
  expect(await readStripeEvent(source(), event('payout.failed', bare))).toEqual({
    account: { ...account, reason: null },
  });
});

test.each([
  ['charge.refunded', { id: 'ch_1', payment_intent: 'pi_1' }],
  ['payment_intent.canceled', { id: 'pi_1' }],
])('%s is missing, with its payment, if Stripe does not know that', async (type, object) => {
  const gone = source(new ProviderError('stripe', 'no such intent', { statusCode: 404, cause: undefined }));
  expect(await readStripeEvent(gone, event(type, object))).toEqual({
    missing: { paymentId: 'pi_1', metadata: {} },
  });
});

describe('ignored with a note', () => {
  test.each([
    ['a thin event', event('v1.x', {}, { object: 'v2.core.event' }), 'a thin event (v2)'],
    ['another type', event('charge.captured', {}), 'event type not handled'],
    [
      'live mode',
      event('payment_intent.succeeded', intent, { livemode: true }),
      'livemode mismatch with our key: live event',
    ],
  ])('%s', async (_what, payload, ignored) => {
    expect(await readStripeEvent(source(), payload)).toEqual({ ignored });
  });

  test('test mode with a live key', async () => {
    const asked = { ...source(), livemode: true };
    expect(await readStripeEvent(asked, event('payment_intent.succeeded', intent))).toEqual({
      ignored: 'livemode mismatch with our key: test event',
    });
    const unsaid = event('payment_intent.succeeded', intent, { livemode: undefined });
    expect(await readStripeEvent(asked, unsaid)).toHaveProperty('report');
  });
});

import fc from 'fast-check';
import { Stripe } from 'stripe';
import { expect, test } from 'vitest';
import type { OrderEffect } from '../../core/order-effects.ts';
import { settle } from '../../core/order-lifecycle.ts';
import type { OrderState } from '../../core/order-state.ts';
import { NO_FACTS, type PaymentFact } from '../../core/payment-facts.ts';
import type { PaymentReport } from '../../core/payment-reports.ts';
import { ProviderError } from '../provider-error.ts';
import { readStripeEvent } from './events.ts';
import { factsOfPayment, stageOf } from './facts.ts';
import { stripeDispute, stripeIntent, stripeRefund } from './resources.ts';

// Stripe's own objects through the reader and the rules: whatever versions, orders and copies the events come in, with and
// without their charge, before, after and between the answers to our own calls.

const PRICE = 299_900;

test('any mixture of event versions, copies and answers ends in the truth, and calls no payment a second one', async () => {
  await fc.assert(
    fc.asyncProperty(lives, deliveries, reads, async (steps, plan, confirmCalls) => {
      const stripe = live(steps);
      const { order, effects } = await follow(stripe, plan, confirmCalls);
      const paid = [...stripe.last.values()].filter(({ status }) => status === 'succeeded');

      expect(Object.keys(order.facts.captures).sort()).toEqual(paid.map(({ id }) => id).sort());
      const [settling] = Object.keys(order.facts.captures);
      expect(effects.filter(({ kind }) => kind === 'paid')).toHaveLength(settling ? 1 : 0);
      const second = effects.filter(({ kind }) => kind === 'duplicate_payment');
      expect(second).toHaveLength(Math.max(0, paid.length - 1));
      for (const effect of second) expect(effect).not.toMatchObject({ paymentId: settling });
      expect(effects.filter(({ kind }) => kind === 'capture_mismatch')).toEqual([]);
      const truth = settling && stripe.last.get(settling);
      if (truth) expect(settle(order, [])).toMatchObject(owed(truth));
    }),
    { numRuns: 5_000 },
  );
});

const ids = ['pi_1', 'pi_2'] as const;

interface Intent {
  id: string;
  status: 'requires_payment_method' | 'processing' | 'succeeded' | 'canceled';
  isDeclined: boolean;
  refunds: { id: string; amount: number; status: 'pending' | 'succeeded' | 'failed' }[];
  /** `balance_transactions`: what it moved on our account. */
  disputes: {
    id: string;
    status: 'needs_response' | 'won' | 'lost';
    balance_transactions: { amount: number; currency: string }[];
  }[];
}

interface Raised {
  type: string;
  /** The index of the moment after it happened. */
  at: number;
  object: object;
}

interface Step {
  what: (typeof happenings)[number];
  /** About the second payment. */
  second: boolean;
  isBad: boolean;
  cents: number;
}

const happenings = [
  'decline',
  'process',
  'succeed',
  'cancel',
  'refund',
  'settle',
  'dispute',
  'close',
] as const;
const step: fc.Arbitrary<Step> = fc.record({
  what: fc.oneof(
    fc.constantFrom(...happenings),
    fc.constantFrom('succeed', 'dispute', 'close', 'refund', 'settle'),
  ),
  second: fc.nat({ max: 3 }).map((number) => number === 3),
  isBad: fc.boolean(),
  cents: fc.constantFrom(PRICE, 1_000, 100_000),
});
const lives = fc.array(step, { minLength: 1, maxLength: 14 });

/** How each event arrives; shorter plans are repeated. */
const deliveries = fc.array(
  fc.record({
    version: fc.constantFrom(Stripe.API_VERSION, '2020-08-27', '2022-08-01', '2024-06-20'),
    charge: fc.constantFrom('id' as const, 'expanded' as const, 'none' as const),
    delays: fc.array(fc.oneof(fc.constant(0), fc.nat({ max: 12 })), { minLength: 1, maxLength: 3 }),
    /** Stripe does not answer; for a success the event has to be enough. */
    isDown: fc.boolean(),
  }),
  { minLength: 1, maxLength: 14 },
);

/** Answers to calls of our own: asked at one moment, applied at a later one. */
const reads = fc.array(
  fc.record({ at: fc.nat({ max: 14 }), lag: fc.nat({ max: 6 }), second: fc.boolean() }),
  { maxLength: 4 },
);

/** What happens at Stripe, moment by moment, and the events of it. */
function live(steps: readonly Step[]) {
  const start = ids.map((id): [string, Intent] => [
    id,
    { id, status: 'requires_payment_method', isDeclined: false, refunds: [], disputes: [] },
  ]);
  const moments = [new Map(start)];
  const raised: Raised[] = [];
  for (const wanted of steps) {
    const next = structuredClone(moments.at(-1) ?? new Map<string, Intent>());
    const intent = next.get(ids[wanted.second ? 1 : 0]);
    const events = intent ? happen(intent, wanted) : [];
    if (!intent || events.length === 0) continue;
    moments.push(next);
    const at = moments.length - 1;
    raised.push(...events.map(([type, object]) => ({ type, object, at })));
  }
  return { moments, raised, last: moments.at(-1) ?? new Map<string, Intent>() };
}

/** Changes the payment if it can be. Returns the events of it. */
function happen(intent: Intent, { what, isBad, cents }: Step): [type: string, object: object][] {
  const { id, status, refunds, disputes } = intent;
  const isOpen = status === 'requires_payment_method';
  const reference = { payment_intent: id };
  if (what === 'decline' && (isOpen || status === 'processing')) {
    Object.assign(intent, { status: 'requires_payment_method', isDeclined: true });
    return [['payment_intent.payment_failed', render(intent)]];
  }
  if (what === 'process' && isOpen) {
    intent.status = 'processing';
    return [['payment_intent.processing', render(intent)]];
  }
  if (what === 'succeed' && (isOpen || status === 'processing')) {
    intent.status = 'succeeded';
    return [['payment_intent.succeeded', render(intent)]];
  }
  if (what === 'cancel' && isOpen) {
    intent.status = 'canceled';
    return [['payment_intent.canceled', render(intent)]];
  }
  const left =
    PRICE - refunds.reduce((sum, refund) => sum + (refund.status === 'failed' ? 0 : refund.amount), 0);
  const isDisputed = disputes.some((dispute) => dispute.status !== 'won');
  if (what === 'refund' && status === 'succeeded' && left > 0 && !isDisputed) {
    const refund = {
      id: `re_${id}_${refunds.length}`,
      amount: Math.min(cents, left),
      status: isBad ? ('pending' as const) : ('succeeded' as const),
    };
    refunds.push(refund);
    return [
      ['refund.created', { ...refund, ...reference }],
      ['charge.refunded', { id: `ch_${id}`, ...reference }],
    ];
  }
  // One that has succeeded may fail for weeks.
  const unsettled = refunds.find((refund) => refund.status === (isBad ? 'succeeded' : 'pending'));
  if (what === 'settle' && unsettled) {
    unsettled.status = isBad ? 'failed' : 'succeeded';
    return [[isBad ? 'refund.failed' : 'refund.updated', { ...unsettled, ...reference }]];
  }
  if (what === 'dispute' && status === 'succeeded' && disputes.length === 0) {
    const dispute = {
      id: `dp_${id}`,
      status: 'needs_response' as const,
      balance_transactions: [{ amount: -PRICE, currency: 'usd' }],
    };
    disputes.push(dispute);
    return [
      ['charge.dispute.created', { ...dispute, ...reference }],
      ['charge.dispute.funds_withdrawn', { ...dispute, ...reference }],
    ];
  }
  const [dispute] = disputes;
  if (what === 'close' && dispute) {
    const outcome = isBad ? 'lost' : 'won';
    if (dispute.status === outcome) return [];
    dispute.status = outcome;
    // Lost in part: what was refunded before comes back to us.
    const refunded = cents < PRICE ? succeeded(intent) % PRICE : 0;
    const before = netOf(dispute);
    const now = isBad ? refunded - PRICE : 0;
    if (now !== before) dispute.balance_transactions.push({ amount: now - before, currency: 'usd' });
    return [['charge.dispute.closed', { ...dispute, ...reference }]];
  }
  return [];
}

function render({ id, status, isDeclined }: Intent): Record<string, unknown> {
  return {
    id,
    status,
    amount_received: status === 'succeeded' ? PRICE : 0,
    currency: 'usd',
    metadata: { app: 'querywright', deployment: 'test', orderId: 'order' },
    latest_charge: status === 'succeeded' ? `ch_${id}` : null,
    last_payment_error: isDeclined && status !== 'succeeded' ? { message: 'Your card was declined.' } : null,
  };
}

/** Delivers everything, and applies it in the order in which it arrives. */
async function follow(
  { moments, raised }: ReturnType<typeof live>,
  plan: { version: string; charge: 'id' | 'expanded' | 'none'; delays: number[]; isDown: boolean }[],
  confirmCalls: { at: number; lag: number; second: boolean }[],
) {
  let order: OrderState = { amount: PRICE, currency: 'USD', status: 'pending', facts: NO_FACTS };
  const effects: OrderEffect[] = [];
  let clock = 0;
  const apply = (facts: readonly PaymentFact[]) => {
    const next = settle(order, facts);
    effects.push(...next.effects);
    order = { ...order, status: next.status, facts: next.facts };
  };
  const report = (paymentId: string, moment: number): PaymentReport => {
    clock += 1;
    return reportOf(moments[Math.min(moment, moments.length - 1)]?.get(paymentId), clock);
  };
  type Arrival = { at: number; apply: () => Promise<void> | void };
  const arrivals: Arrival[] = raised.flatMap((event, index) => {
    const how = plan[index % plan.length];
    return (how?.delays ?? []).map((delay, copy) => {
      const at = event.at + delay;
      const isDown = how?.isDown && event.type === 'payment_intent.succeeded' && copy === 0;
      return {
        at,
        apply: async () => {
          const source = {
            livemode: false,
            warn: () => {},
            report: async (paymentId: string) => {
              if (isDown) throw new ProviderError('stripe', 'no answer', { cause: undefined });
              return report(paymentId, at);
            },
          };
          const reading = await readStripeEvent(
            source,
            envelope(event, how?.version ?? '', how?.charge ?? 'id'),
          );
          if ('report' in reading) apply(reading.report.facts);
        },
      };
    });
  });
  for (const { at, lag, second } of confirmCalls) {
    let answer: PaymentReport | undefined;
    const ask = () => {
      answer = report(ids[second ? 1 : 0], at);
    };
    arrivals.push({ at, apply: ask });
    arrivals.push({ at: at + lag + 0.5, apply: () => apply(answer?.facts ?? []) });
  }
  for (const arrival of arrivals.sort((one, other) => one.at - other.at)) await arrival.apply();
  return { order, effects };
}

/** What a call of ours shows at one moment. */
function reportOf(intent: Intent | undefined, observedAt: number): PaymentReport {
  if (!intent) throw new ProviderError('stripe', 'no such payment', { statusCode: 404, cause: undefined });
  const parsed = stripeIntent.parse(render(intent));
  const refunds = intent.refunds.map((refund) => stripeRefund.parse(refund));
  const disputes = intent.disputes.map((dispute) =>
    stripeDispute.parse({ ...dispute, amount: PRICE, currency: 'usd' }),
  );
  return {
    paymentId: intent.id,
    metadata: parsed.metadata ?? {},
    stage: stageOf(parsed),
    facts: factsOfPayment(parsed, { refunds, disputes }, observedAt),
  };
}

/** An event as its endpoint's version shows it; before 2022-11-15 an intent has `charges` instead of `latest_charge`. */
function envelope({ type, object, at }: Raised, version: string, charge: 'id' | 'expanded' | 'none') {
  const rendered: Record<string, unknown> = { ...object };
  if ('latest_charge' in rendered) {
    const id = rendered.latest_charge;
    if (charge === 'none') rendered.latest_charge = null;
    else if (charge === 'expanded' && id)
      rendered.latest_charge = { id, amount_refunded: 0, disputed: false };
    if (version < '2022-11-15') {
      delete rendered.latest_charge;
      rendered.charges = { object: 'list', data: id ? [{ id }] : [] };
    }
  }
  return {
    ...{ id: `evt_${type}_${at}`, object: 'event', type, livemode: false, api_version: version },
    data: { object: rendered },
  };
}

/** What a fair shop says of an order that this payment settled. */
function owed(intent: Intent) {
  const [dispute] = intent.disputes;
  const lost = dispute?.status === 'lost' ? -netOf(dispute) : 0;
  const amountRefunded = Math.min(PRICE, succeeded(intent) + lost);
  if (amountRefunded >= PRICE) return { status: 'refunded', amountRefunded };
  if (dispute?.status === 'needs_response') return { status: 'disputed', amountRefunded };
  return { status: amountRefunded > 0 ? 'partially_refunded' : 'paid', amountRefunded };
}

function succeeded({ refunds }: Intent): number {
  return refunds.reduce((sum, { status, amount }) => sum + (status === 'succeeded' ? amount : 0), 0);
}

function netOf({ balance_transactions: moved }: Intent['disputes'][number]): number {
  return moved.reduce((sum, { amount }) => sum + amount, 0);
}

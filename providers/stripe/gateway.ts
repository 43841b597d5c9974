import { setTimeout as sleep } from 'node:timers/promises';
import type Stripe from 'stripe';
import type { Money } from '../../core/money.ts';
import type { Config } from '../../infra/config.ts';
import { within } from '../../infra/deadline.ts';
import {
  type EventContext,
  type ListedPayment,
  type LiveReport,
  type OrderToPay,
  type Payment,
  type PaymentGateway,
  type PaymentOrigin,
  type ProviderEvent,
  paymentIdempotencyKey,
} from '../gateway.ts';
import { readPages } from '../pages.ts';
import { ProviderError } from '../provider-error.ts';
import { ask, createStripeClient, isFormerRefusal } from './client.ts';
import { readers, readStripeEvent } from './events.ts';
import {
  factOfDispute,
  factOfRefund,
  factsOfIntent,
  type StripeIntent,
  stageOf,
  stripeDispute,
  stripeIntent,
  stripeOrigin,
  stripeRefund,
} from './facts.ts';
import { stripeWebhook } from './webhook.ts';
import { stripeWebhookRegistry } from './webhook-registry.ts';

/** Keys tried for one request: Stripe keeps a 500 under its idempotency key for 24 h, and replays it at once. */
const MAX_KEYS = 6;
/** More than a job's attempts, so that a retried job gets a new answer. */
const MAX_REFUSALS = 40;
/** Creating a payment, refunding and reading all refunds end within this time, repetitions and pages included. */
const DEADLINE_MS = 9_500;

export type StripeGateway = ReturnType<typeof createStripeGateway>;

export function createStripeGateway({ stripe: config, deployment }: Pick<Config, 'stripe' | 'deployment'>) {
  const stripe = createStripeClient(config);
  const livemode = /^(sk|rk)_live_/.test(config.secretKey);

  async function report(paymentId: string, observedAt: number): Promise<LiveReport> {
    const answer = await ask(
      stripe.paymentIntents.retrieve(paymentId, { expand: ['latest_charge.refunds'] }),
    );
    const intent = stripeIntent.parse(answer);
    const charge = typeof intent.latest_charge === 'object' ? intent.latest_charge : undefined;
    // Without its charge, a success does not show what was refunded or disputed.
    const isUnknown = intent.status === 'succeeded' && !charge;
    const [refunds, disputes] = await Promise.all([
      isUnknown || charge?.refunds?.has_more ? listRefunds(paymentId) : (charge?.refunds?.data ?? []),
      isUnknown || charge?.disputed ? listDisputes(paymentId) : [],
    ]);
    return {
      ...paymentOf(intent),
      metadata: intent.metadata ?? {},
      stage: stageOf(intent),
      facts: [
        ...factsOfIntent(intent, observedAt),
        ...refunds.map((refund) => factOfRefund(paymentId, refund, observedAt)),
        ...disputes.map((dispute) => factOfDispute(paymentId, dispute, observedAt)),
      ],
    };
  }

  /** All pages, within one deadline. */
  function allRefunds(paymentId: string): Promise<Stripe.Refund[]> {
    const refunds = stripe.refunds.list({ payment_intent: paymentId, limit: 100 });
    return answered(ask(refunds.autoPagingToArray({ limit: 1000 })));
  }

  async function listRefunds(paymentId: string) {
    return (await allRefunds(paymentId)).map((refund) => stripeRefund.parse(refund));
  }

  async function listDisputes(paymentId: string) {
    const { data } = await ask(stripe.disputes.list({ payment_intent: paymentId, limit: 20 }));
    return data.map((dispute) => stripeDispute.parse(dispute));
  }

  /**
   * Repeats `call` with the next key after a stored 5xx, unless `find` shows that it took effect, and after a replayed
   * refusal of an earlier run: Stripe stores it for a day, even if its cause is gone
   * (https://docs.stripe.com/api/idempotent_requests).
   */
  async function withNextKeys<T>(
    call: (attempt: number) => Promise<T>,
    find: () => Promise<T | undefined>,
  ): Promise<T> {
    for (let key = 1, failures = 1; ; key++) {
      try {
        return await ask(call(key));
      } catch (error) {
        if (isFormerRefusal(error) && key < MAX_REFUSALS) continue;
        const isStored = error instanceof ProviderError && (error.statusCode ?? 0) >= 500;
        if (!isStored || failures === MAX_KEYS) throw error;
        const found = await find();
        if (found !== undefined) return found;
        await sleep(50 * failures++);
      }
    }
  }

  function create(order: OrderToPay, attempt: number) {
    const { id, amount, currency, receipt } = order;
    return stripe.paymentIntents.create(
      {
        amount,
        currency: currency.toLowerCase(),
        description: receipt,
        metadata: { app: 'querywright', deployment, orderId: id },
        automatic_payment_methods: { enabled: true },
      },
      { idempotencyKey: paymentIdempotencyKey(order, attempt), maxNetworkRetries: 0 },
    );
  }

  // A list shows an intent at once; Stripe's search may take a minute.
  async function findRecent(orderId: string): Promise<Stripe.PaymentIntent | undefined> {
    const newest = await ask(stripe.paymentIntents.list({ limit: 100 }));
    return newest.data.find((intent) => isUsable(intent, orderId));
  }

  async function hasRefund(paymentId: string, key: string): Promise<boolean> {
    return (await allRefunds(paymentId)).some(({ metadata }) => metadata?.refundKey === key);
  }

  async function findFullRefund(paymentId: string): Promise<true | undefined> {
    const [refunds, intent] = await Promise.all([
      listRefunds(paymentId),
      ask(stripe.paymentIntents.retrieve(paymentId)),
    ]);
    const returned = refunds
      .filter(({ status }) => status !== 'failed' && status !== 'canceled')
      .reduce((sum, { amount }) => sum + amount, 0);
    return returned >= intent.amount_received ? true : undefined;
  }

  return {
    handledEvents: Object.keys(readers),
    webhook: stripeWebhook(config),
    webhookRegistry: stripeWebhookRegistry(stripe),
    report,

    async createPayment(order: OrderToPay): Promise<Payment> {
      const created = withNextKeys(
        (attempt) => create(order, attempt),
        () => findRecent(order.id),
      );
      return paymentOf(stripeIntent.parse(await answered(created)));
    },

    async cancelPayment(paymentId: string, observedAt: number) {
      try {
        await ask(stripe.paymentIntents.cancel(paymentId, { cancellation_reason: 'abandoned' }));
      } catch (error) {
        // Paid, canceled or in the bank's hands in the meantime: the report says which.
        if ((error as ProviderError).reason !== 'payment_intent_unexpected_state') throw error;
      }
      return report(paymentId, observedAt);
    },

    async refundPayment(paymentId: string): Promise<void> {
      const refund = withNextKeys<unknown>(
        (attempt) =>
          stripe.refunds.create(
            { payment_intent: paymentId, reason: 'duplicate' },
            { idempotencyKey: `refund-${paymentId}${attempt > 1 ? `-${attempt}` : ''}` },
          ),
        () => findFullRefund(paymentId),
      );
      try {
        await answered(refund);
      } catch (error) {
        if ((error as ProviderError).reason !== 'charge_already_refunded') throw error;
      }
    },

    // Looks first: a job may be retried after Stripe has dropped its key, which is kept for at least 24 h.
    async refundPart(paymentId: string, { amount }: Money, key: string): Promise<void> {
      const metadata = { refundKey: key };
      const create = (attempt: number) =>
        stripe.refunds.create(
          { payment_intent: paymentId, amount, reason: 'requested_by_customer', metadata },
          { idempotencyKey: `refund-${key}${attempt > 1 ? `-${attempt}` : ''}` },
        );
      const find = async () => (await hasRefund(paymentId, key)) || undefined;
      await answered(find().then((found) => found ?? withNextKeys<unknown>(create, find)));
    },

    async findPaymentOf({ id }: { id: string }): Promise<string | undefined> {
      const query = `metadata['orderId']:'${id}'`;
      const found = await ask(stripe.paymentIntents.search({ query, limit: 20 }));
      return found.data.find((intent) => isUsable(intent, id))?.id;
    },

    readEvent: (payload: unknown, { ask, now, warn }: EventContext) =>
      readStripeEvent(
        { livemode, warn, report: (paymentId) => ask(async () => report(paymentId, await now())) },
        payload,
      ),

    async *eventsSince(since: Date, until?: Date): AsyncGenerator<ProviderEvent> {
      const created = { gte: unixTime(since), ...(until && { lte: unixTime(until) }) };
      const filter = { created, types: Object.keys(readers) };
      for await (const event of everyOf((page) => stripe.events.list({ ...filter, ...page }))) {
        yield { eventId: event.id, type: event.type, payload: JSON.stringify(event) };
      }
    },

    async originOf(paymentId: string): Promise<PaymentOrigin> {
      const answer = await ask(stripe.paymentIntents.retrieve(paymentId, { expand: ['latest_charge'] }));
      const { amount, currency, created, description, latest_charge: charge } = stripeOrigin.parse(answer);
      return {
        amount,
        currency: currency.toUpperCase(),
        receipt: description ?? null,
        createdAt: new Date(created * 1000),
        payerName: charge?.billing_details?.name ?? null,
        payerEmail: charge?.billing_details?.email ?? null,
      };
    },

    async *paymentsSince(since: Date): AsyncGenerator<ListedPayment> {
      const created = { gte: unixTime(since) };
      const intents = everyOf((page) => stripe.paymentIntents.list({ created, ...page }));
      for await (const { id, status, metadata } of intents) {
        if (status === 'succeeded') yield { paymentId: id, metadata };
      }
    },
  } satisfies PaymentGateway;
}

async function answered<T>(call: Promise<T>): Promise<T> {
  return within(DEADLINE_MS, call).catch((error: unknown) => {
    if (error instanceof ProviderError) throw error;
    throw new ProviderError('stripe', `Stripe: no answer within ${DEADLINE_MS} ms`, { cause: error });
  });
}

/** The SDK's own paging follows a list that never ends. */
function everyOf<T extends { id: string }>(
  list: (page: Stripe.PaginationParams) => Promise<Stripe.ApiList<T>>,
): AsyncGenerator<T> {
  return readPages('stripe', async (start) => {
    const { data, has_more: hasMore } = await ask(
      list({ limit: 100, ...(start && { starting_after: start }) }),
    );
    return { items: data, next: hasMore ? data.at(-1)?.id : undefined };
  });
}

function paymentOf({ id, client_secret: clientSecret }: StripeIntent): Payment {
  return { paymentId: id, ...(clientSecret ? { clientSecret } : {}) };
}

/** A canceled intent is one that another payment has replaced. */
function isUsable(intent: Stripe.PaymentIntent, orderId: string): boolean {
  return intent.metadata.orderId === orderId && intent.status !== 'canceled';
}

function unixTime(moment: Date): number {
  return Math.floor(moment.getTime() / 1000);
}

import type Stripe from 'stripe';
import { OUR_APP } from '../../core/payment-reports.ts';
import type { Config } from '../../infra/config.ts';
import {
  type EventContext,
  type LiveReport,
  type OrderToPay,
  type Payment,
  type PaymentGateway,
  type PaymentOrigin,
  type PaymentOwner,
  paymentIdempotencyKey,
} from '../gateway.ts';
import type { ProviderError } from '../provider-error.ts';
import { answered, ask, createStripeClient } from './client.ts';
import { readers, readStripeEvent } from './events.ts';
import { factsOfPayment, stageOf } from './facts.ts';
import { withNextKeys } from './idempotency.ts';
import { createStripeLists } from './lists.ts';
import { toMinorUnits } from './minor-units.ts';
import { createStripeRefunds } from './refunds.ts';
import { type StripeIntent, stripeDispute, stripeIntent, stripeOrigin } from './resources.ts';
import { stripeWebhook } from './webhook.ts';
import { stripeWebhookRegistry } from './webhook-registry.ts';

export type StripeGateway = ReturnType<typeof createStripeGateway>;

export function createStripeGateway({ stripe: config, deployment }: Pick<Config, 'stripe' | 'deployment'>) {
  const stripe = createStripeClient(config);
  const refunds = createStripeRefunds(stripe);
  const livemode = /^(sk|rk)_live_/.test(config.secretKey);

  async function report(
    paymentId: string,
    observedAt: number,
    { withDisputes } = { withDisputes: false },
  ): Promise<LiveReport> {
    const answer = await ask(
      stripe.paymentIntents.retrieve(paymentId, { expand: ['latest_charge.refunds'] }),
    );
    const intent = stripeIntent.parse(answer);
    const charge = typeof intent.latest_charge === 'object' ? intent.latest_charge : undefined;
    // Without its charge, a success does not show what was refunded or disputed.
    const isUnknown = intent.status === 'succeeded' && !charge;
    const [returned, disputes] = await Promise.all([
      isUnknown || charge?.refunds?.has_more ? refunds.list(paymentId) : (charge?.refunds?.data ?? []),
      isUnknown || withDisputes || charge?.disputed ? listDisputes(paymentId) : [],
    ]);
    return {
      ...paymentOf(intent),
      metadata: intent.metadata ?? {},
      stage: stageOf(intent),
      facts: factsOfPayment(intent, { refunds: returned, disputes }, observedAt),
    };
  }

  async function listDisputes(paymentId: string) {
    const { data } = await ask(stripe.disputes.list({ payment_intent: paymentId, limit: 20 }));
    return data.map((dispute) => stripeDispute.parse(dispute));
  }

  function create({ id, amount, currency, receipt }: OrderToPay, idempotencyKey: string) {
    return stripe.paymentIntents.create(
      {
        amount: toMinorUnits(amount, currency),
        currency: currency.toLowerCase(),
        description: receipt,
        metadata: { app: OUR_APP, deployment, orderId: id },
        automatic_payment_methods: { enabled: true },
      },
      { idempotencyKey, maxNetworkRetries: 0 },
    );
  }

  // A list shows an intent at once; Stripe's search may take a minute.
  async function findRecent(order: PaymentOwner): Promise<Stripe.PaymentIntent | undefined> {
    const newest = await ask(stripe.paymentIntents.list({ limit: 100 }));
    return newest.data.find((intent) => isUsable(intent, order));
  }

  return {
    handledEvents: Object.keys(readers),
    webhook: stripeWebhook(config),
    webhookRegistry: stripeWebhookRegistry(stripe),
    // Needs no `withDisputes`: the charge says whether there are any.
    report: (paymentId: string, observedAt: number) => report(paymentId, observedAt),
    refundPayment: refunds.refundPayment,
    refundPart: refunds.refundPart,
    ...createStripeLists(stripe),

    async createPayment(order: OrderToPay): Promise<Payment> {
      const created = withNextKeys(
        paymentIdempotencyKey(order),
        (idempotencyKey) => create(order, idempotencyKey),
        () => findRecent(order),
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

    async findPaymentOf(order: PaymentOwner): Promise<string | undefined> {
      const query = `metadata['orderId']:'${order.id}'`;
      const found = await ask(stripe.paymentIntents.search({ query, limit: 20 }));
      return found.data.find((intent) => isUsable(intent, order))?.id;
    },

    readEvent: (payload: unknown, { ask, now, warn }: EventContext) =>
      readStripeEvent(
        {
          ...{ livemode, warn },
          report: (paymentId, options) => ask(async () => report(paymentId, await now(), options)),
        },
        payload,
      ),

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
  } satisfies PaymentGateway;
}

function paymentOf({ id, client_secret: clientSecret }: StripeIntent): Payment {
  return { paymentId: id, ...(clientSecret ? { clientSecret } : {}) };
}

/** One that another payment has replaced may wait for its cancellation. */
function isUsable(
  { id, metadata, status }: Stripe.PaymentIntent,
  { id: orderId, formerPaymentIds }: PaymentOwner,
): boolean {
  return metadata.orderId === orderId && status !== 'canceled' && !formerPaymentIds.includes(id);
}

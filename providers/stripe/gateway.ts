import { Stripe } from 'stripe';
import type { Money } from '../../core/money.ts';
import type { PaymentFact } from '../../core/payment-facts.ts';
import type { Config } from '../../infra/config.ts';
import type { ListedPayment, PaymentGateway, PaymentReport, ProviderEvent } from '../gateway.ts';
import { createStripeClient } from './client.ts';

/** What every PaymentIntent of ours carries, so that its events find their order and nobody else's do. */
export interface PaymentMetadata {
  app: 'querywright';
  deployment: string;
  orderId: string;
}

interface OrderToPay extends Money {
  id: string;
  /** What stands on the buyer's statement of the payment. */
  receipt: string;
  /** How many payments of this order were given up before this one. */
  replaced: number;
}

/** The events that move orders (design §6); worker/stripe-events.ts reads them. */
const handledEvents = [
  'payment_intent.succeeded',
  'payment_intent.processing',
  'payment_intent.payment_failed',
  'payment_intent.canceled',
  'charge.refunded',
  'charge.dispute.created',
  'charge.dispute.closed',
];

/** Idempotency keys tried for one intent within one request. */
const MOST_KEYS = 3;

export type StripeGateway = ReturnType<typeof createStripeGateway>;

/** All we say to Stripe. */
export function createStripeGateway(config: Config['stripe'], deployment: string) {
  const stripe = createStripeClient(config);

  async function report(paymentIntentId: string, observedAt: number): Promise<PaymentReport> {
    const intent = await stripe.paymentIntents.retrieve(paymentIntentId, { expand: ['latest_charge'] });
    const charge = typeof intent.latest_charge === 'object' ? intent.latest_charge : null;
    const disputes = charge?.disputed
      ? (await stripe.disputes.list({ payment_intent: intent.id, limit: 20 })).data
      : [];
    return {
      paymentIntentId: intent.id,
      metadata: intent.metadata,
      facts: [
        ...factsOfIntent(intent, observedAt),
        ...(charge ? factsOfCharge(charge) : []),
        ...disputes.map(factOfDispute),
      ],
    };
  }

  function create({ id, amount, currency, receipt, replaced }: OrderToPay, attempt: number) {
    const metadata: PaymentMetadata = { app: 'querywright', deployment, orderId: id };
    return stripe.paymentIntents.create(
      {
        amount,
        currency: currency.toLowerCase(),
        description: receipt,
        metadata: { ...metadata },
        automatic_payment_methods: { enabled: true },
      },
      { idempotencyKey: idempotencyKeyOf(id, replaced, attempt) },
    );
  }

  // A list shows an intent at once; Stripe's search may take a minute.
  async function findRecent(orderId: string) {
    const newest = await stripe.paymentIntents.list({ limit: 100 });
    return newest.data.find((intent) => isUsable(intent, orderId));
  }

  const gateway = {
    /**
     * Creates the order's PaymentIntent. The idempotency key is made of the order id, so a repetition after a timeout
     * returns the same intent. Stripe also keeps a 500 under its key for 24 h: then, and only if no intent of this
     * order came into being all the same, a further key is used (reliability.md F22).
     */
    async createPaymentIntent(order: OrderToPay) {
      for (let attempt = 1; ; attempt++) {
        try {
          return summary(await create(order, attempt));
        } catch (error) {
          if (!(error instanceof Stripe.errors.StripeAPIError) || attempt === MOST_KEYS) throw error;
          const made = await findRecent(order.id);
          if (made) return summary(made);
        }
      }
    },

    /** The client secret of an intent that was made before. */
    async retrieveClientSecret(paymentIntentId: string): Promise<string> {
      return clientSecretOf(await stripe.paymentIntents.retrieve(paymentIntentId));
    },

    report,

    async expire(paymentIntentId: string, observedAt: number): Promise<PaymentReport> {
      try {
        await stripe.paymentIntents.cancel(paymentIntentId, { cancellation_reason: 'abandoned' });
      } catch (error) {
        // Paid, canceled or in the bank's hands meanwhile: the report says which.
        if ((error as { code?: string }).code !== 'payment_intent_unexpected_state') throw error;
      }
      return report(paymentIntentId, observedAt);
    },

    async refundCapture(chargeId: string): Promise<void> {
      try {
        await stripe.refunds.create(
          { charge: chargeId, reason: 'duplicate' },
          { idempotencyKey: `refund-${chargeId}` },
        );
      } catch (error) {
        if ((error as { code?: string }).code !== 'charge_already_refunded') throw error;
      }
    },

    async findPaymentOf(order: { id: string }): Promise<string | undefined> {
      const query = `metadata['orderId']:'${order.id}'`;
      const found = await stripe.paymentIntents.search({ query, limit: 20 });
      return found.data.find((intent) => isUsable(intent, order.id))?.id;
    },

    async *eventsSince(since: Date): AsyncGenerator<ProviderEvent> {
      const events = stripe.events.list({
        created: { gte: unixTime(since) },
        types: handledEvents,
        limit: 100,
      });
      for await (const event of events) {
        yield { eventId: event.id, type: event.type, payload: JSON.stringify(event) };
      }
    },

    async *paymentsSince(since: Date): AsyncGenerator<ListedPayment> {
      const intents = stripe.paymentIntents.list({ created: { gte: unixTime(since) }, limit: 100 });
      for await (const { id, status, metadata } of intents) {
        if (status === 'succeeded') yield { paymentIntentId: id, metadata };
      }
    },

    /**
     * The event in a webhook's raw body, if one of our secrets signed it within the last five minutes.
     * @throws Stripe.errors.StripeSignatureVerificationError
     */
    verifyWebhook(rawBody: Buffer, signature: string): Stripe.Event {
      let failure: unknown = new Error('No webhook secret is configured');
      for (const secret of config.webhookSecrets) {
        try {
          return stripe.webhooks.constructEvent(rawBody, signature, secret, 300);
        } catch (error) {
          failure = error;
        }
      }
      throw failure;
    },

    client: stripe,
  };
  return gateway satisfies PaymentGateway;
}

/** A canceled intent is one that another payment has replaced. */
function isUsable(intent: Stripe.PaymentIntent, orderId: string): boolean {
  return intent.metadata.orderId === orderId && intent.status !== 'canceled';
}

/** One key for one intent: the order's first, or a later one that replaces it, and then one more per lost answer. */
function idempotencyKeyOf(orderId: string, replaced: number, attempt: number): string {
  return `order-${orderId}${replaced > 0 ? `-r${replaced}` : ''}${attempt > 1 ? `-${attempt}` : ''}`;
}

function unixTime(moment: Date): number {
  return Math.floor(moment.getTime() / 1000);
}

function summary(intent: Stripe.PaymentIntent) {
  return { id: intent.id, clientSecret: clientSecretOf(intent) };
}

function clientSecretOf(intent: Stripe.PaymentIntent): string {
  if (!intent.client_secret) throw new Error(`PaymentIntent ${intent.id} has no client secret`);
  return intent.client_secret;
}

/** Facts in a PaymentIntent. A capture is believed from any copy; the state of an attempt only from a fresh one. */
export function factsOfIntent(intent: Stripe.PaymentIntent, observedAt: number): PaymentFact[] {
  const attempt = (status: 'processing' | 'failed' | 'canceled', reason: string | null): PaymentFact[] => [
    { kind: 'attempt', status, reason, observedAt },
  ];
  switch (intent.status) {
    case 'succeeded':
      return [
        {
          kind: 'captured',
          provider: 'stripe',
          captureId: idOf(intent.latest_charge) ?? intent.id,
          amount: intent.amount_received,
          currency: intent.currency.toUpperCase(),
        },
      ];
    case 'processing':
      return attempt('processing', null);
    case 'canceled':
      return attempt('canceled', intent.cancellation_reason);
    case 'requires_payment_method':
      return intent.last_payment_error
        ? attempt('failed', intent.last_payment_error.message ?? 'The payment was declined.')
        : [];
    default:
      return [];
  }
}

function factsOfCharge(charge: Stripe.Charge): PaymentFact[] {
  return charge.amount_refunded > 0
    ? [{ kind: 'refunded', captureId: charge.id, total: charge.amount_refunded }]
    : [];
}

function factOfDispute(dispute: Stripe.Dispute): PaymentFact {
  return {
    kind: 'dispute',
    disputeId: dispute.id,
    amount: dispute.amount,
    outcome: outcomeOf(dispute.status),
  };
}

function outcomeOf(status: Stripe.Dispute.Status): 'open' | 'won' | 'lost' {
  if (status === 'lost') return 'lost';
  return status === 'won' || status === 'warning_closed' ? 'won' : 'open';
}

/** The id of an object that may come expanded. */
export function idOf(reference: string | { id: string } | null | undefined): string | undefined {
  return typeof reference === 'string' ? reference : reference?.id;
}

import {
  CheckoutPaymentIntent,
  PaypalExperienceUserAction,
  PaypalWalletContextShippingPreference,
} from '@paypal/paypal-server-sdk';
import { type Money, toDecimalString } from '../../core/money.ts';
import { paths, successFor } from '../../core/paths.ts';
import type { PaymentFact, PaymentFacts } from '../../core/payment-facts.ts';
import type { Config } from '../../infra/config.ts';
import type { ListedPayment, PaymentGateway, PaymentReport, ProviderEvent } from '../gateway.ts';
import { createPaypalClient, type PaypalClient, PaypalError } from './client.ts';
import {
  factOfDispute,
  factsOfOrder,
  invoiceIdOf,
  metadataOf,
  type PaypalEvent,
  type PaypalOrder,
  paypalCapture,
  paypalDispute,
  paypalEventPage,
  paypalOrder,
} from './facts.ts';
import { createWebhookVerifier } from './webhook.ts';

interface OrderToPay extends Money {
  id: string;
  /** What the buyer reads in PayPal's window. */
  receipt: string;
  /** How many payments of this order were given up before this one. */
  replaced: number;
}

export type PaypalGateway = ReturnType<typeof createPaypalGateway>;

/** All we say to PayPal. `siteUrl`: where the buyer comes back to who did not come by a window. */
export function createPaypalGateway(config: Config['paypal'], deployment: string, siteUrl: string) {
  const client = createPaypalClient(config);

  async function report(paypalOrderId: string, observedAt: number): Promise<PaymentReport> {
    try {
      const order = await client.ask('get order', ({ orders }) => orders.getOrder({ id: paypalOrderId }));
      return reportOf(paypalOrder.parse(order), observedAt);
    } catch (error) {
      if (!(error instanceof PaypalError) || error.statusCode !== 404) throw error;
      // PayPal forgets an order that nobody approved in time.
      const gone: PaymentFact = { kind: 'attempt', status: 'canceled', reason: 'expired', observedAt };
      return { paymentIntentId: paypalOrderId, metadata: {}, stage: 'closed', facts: [gone] };
    }
  }

  const gateway = {
    clientToken: () => client.clientToken(new URL(siteUrl).host),

    /**
     * PayPal's order for ours, of exactly its amount. A repetition returns the same one (PayPal-Request-Id); the invoice id
     * makes PayPal refuse a second capture for the same order of ours.
     */
    async createOrder({ id, receipt, replaced, ...money }: OrderToPay): Promise<string> {
      const paypalRequestId = replaced === 0 ? `order-${id}` : `order-${id}-${replaced}`;
      const created = await client.ask('create order', ({ orders }) =>
        orders.createOrder({
          paypalRequestId,
          prefer: 'return=minimal',
          body: {
            intent: CheckoutPaymentIntent.Capture,
            purchaseUnits: [
              {
                customId: id,
                invoiceId: invoiceIdOf(deployment, id),
                description: receipt,
                amount: { currencyCode: money.currency, value: toDecimalString(money.amount) },
              },
            ],
            paymentSource: {
              paypal: {
                experienceContext: {
                  brandName: 'Querywright',
                  shippingPreference: PaypalWalletContextShippingPreference.NoShipping,
                  userAction: PaypalExperienceUserAction.PayNow,
                  returnUrl: `${siteUrl}${successFor(id)}`,
                  cancelUrl: `${siteUrl}${paths.payment}`,
                },
              },
            },
          },
        }),
      );
      return paypalOrder.parse(created).id;
    },

    report,

    /**
     * Takes the money that the buyer has approved, once: PayPal captures an order a single time, whoever asks, and a capture
     * that was made before is found and reported (reliability.md F33). A declined one is a failed attempt.
     */
    async capture(paypalOrderId: string, order: { id: string; facts: PaymentFacts }, observedAt: number) {
      const { attempt } = order.facts;
      // After a decline the same id would repeat PayPal's first answer.
      const again = attempt?.status === 'failed' ? `-${attempt.observedAt}` : '';
      const paypalRequestId = `capture-${paypalOrderId}${again}`;
      try {
        const captured = await client.ask('capture order', ({ orders }) =>
          orders.captureOrder({ id: paypalOrderId, paypalRequestId, prefer: 'return=representation' }),
        );
        return reportOf(paypalOrder.parse(captured), observedAt);
      } catch (error) {
        if (!(error instanceof PaypalError) || (error.statusCode !== 422 && error.statusCode !== 404))
          throw error;
        const state = await report(paypalOrderId, observedAt);
        if (error.issue !== 'INSTRUMENT_DECLINED') return state;
        const reason = 'PayPal declined the payment. Please choose another way to pay in its window.';
        const declined: PaymentFact = { kind: 'attempt', status: 'failed', reason, observedAt };
        return { ...state, facts: [...state.facts, declined] };
      }
    },

    // PayPal cannot call an order off; but only we can capture it, and of an order that is given up we never do.
    async expire(paypalOrderId: string, observedAt: number): Promise<PaymentReport> {
      const state = await report(paypalOrderId, observedAt);
      if (state.facts.length > 0) return state;
      const abandoned: PaymentFact = { kind: 'attempt', status: 'canceled', reason: 'abandoned', observedAt };
      return { ...state, facts: [abandoned] };
    },

    async refundCapture(captureId: string): Promise<void> {
      try {
        await client.ask('refund capture', ({ payments }) =>
          payments.refundCapturedPayment({ captureId, paypalRequestId: `refund-${captureId}` }),
        );
      } catch (error) {
        if (!(error instanceof PaypalError) || error.issue !== 'CAPTURE_FULLY_REFUNDED') throw error;
      }
    },

    // Its id is kept before the buyer gets it: a PayPal order that we do not know cannot have been approved.
    findPaymentOf: async () => undefined,

    /** The PayPal order that this capture belongs to. */
    async orderOfCapture(captureId: string): Promise<string | undefined> {
      const capture = await client.ask('get capture', ({ payments }) =>
        payments.getCapturedPayment({ captureId }),
      );
      return paypalCapture.parse(capture).supplementary_data?.related_ids?.order_id;
    },

    /** What PayPal says of a dispute now, and of the payment that it is about. */
    async reportDispute(disputeId: string, observedAt: number): Promise<PaymentReport | undefined> {
      const answer = await client.ask('get dispute', (api) =>
        api.request('GET', `/v1/customer/disputes/${encodeURIComponent(disputeId)}`).callAsText(),
      );
      const dispute = paypalDispute.parse(answer);
      const captureId = dispute.disputed_transactions[0]?.seller_transaction_id;
      const paypalOrderId = captureId && (await gateway.orderOfCapture(captureId));
      if (!paypalOrderId) return undefined;
      const payment = await report(paypalOrderId, observedAt);
      return { ...payment, facts: [...payment.facts, factOfDispute(dispute)] };
    },

    async *eventsSince(since: Date): AsyncGenerator<ProviderEvent> {
      for await (const event of listEvents(client, since)) {
        if (handledEvents.test(event.event_type)) {
          yield { eventId: event.id, type: event.event_type, payload: JSON.stringify(event) };
        }
      }
    },

    // PayPal lists payments to accounts of a higher grade only; every account may list what its webhooks were told.
    async *paymentsSince(since: Date): AsyncGenerator<ListedPayment> {
      for await (const { event_type, resource } of listEvents(client, since)) {
        if (event_type !== 'PAYMENT.CAPTURE.COMPLETED') continue;
        const capture = paypalCapture.parse(resource);
        const paymentIntentId = capture.supplementary_data?.related_ids?.order_id;
        if (paymentIntentId) yield { paymentIntentId, metadata: metadataOf(capture) };
      }
    },

    verifyWebhook: createWebhookVerifier(config, client),
  };
  return gateway satisfies PaymentGateway;
}

/** The events that move orders (design §6); worker/paypal-events.ts reads them. */
const handledEvents =
  /^(CHECKOUT\.ORDER\.APPROVED|CUSTOMER\.DISPUTE\.\w+|PAYMENT\.CAPTURE\.(COMPLETED|DENIED|PENDING|REFUNDED|REVERSED))$/;

/** Every event since then, newest first: PayPal hands them out in pages, each with the address of the next. */
async function* listEvents(client: PaypalClient, since: Date): AsyncGenerator<PaypalEvent> {
  const startTime = since.toISOString();
  let query: Record<string, string> | undefined = { start_time: startTime, page_size: '300' };
  while (query) {
    const wanted: Record<string, string> = query;
    const page = paypalEventPage.parse(
      await client.ask('list events', (api) => {
        const request = api.request('GET', '/v1/notifications/webhooks-events');
        request.query(wanted);
        return request.callAsText();
      }),
    );
    yield* page.events;
    const next = page.links.find(({ rel }) => rel === 'next')?.href;
    query = next && page.events.length > 0 ? Object.fromEntries(new URL(next).searchParams) : undefined;
  }
}

function reportOf(order: PaypalOrder, observedAt: number): PaymentReport {
  return {
    paymentIntentId: order.id,
    metadata: metadataOf(order.purchase_units[0] ?? {}),
    stage: stageOf(order),
    facts: factsOfOrder(order, observedAt),
  };
}

function stageOf({ status }: PaypalOrder): PaymentReport['stage'] {
  if (status === 'APPROVED') return 'approved';
  return status === 'COMPLETED' || status === 'VOIDED' ? 'closed' : 'open';
}

import { setTimeout as sleep } from 'node:timers/promises';
import {
  CheckoutPaymentIntent,
  PaypalExperienceUserAction,
  PaypalWalletContextShippingPreference,
} from '@paypal/paypal-server-sdk';
import { toDecimalString } from '../../core/money.ts';
import { paths, successFor } from '../../core/paths.ts';
import type { PaymentFact, PaymentFacts } from '../../core/payment-facts.ts';
import type { PaymentReport } from '../../core/payment-reports.ts';
import type { Config } from '../../infra/config.ts';
import { within } from '../../infra/deadline.ts';
import {
  type EventContext,
  type ListedPayment,
  type LiveReport,
  type OrderToPay,
  type Payment,
  type PaymentGateway,
  type ProviderEvent,
  paymentIdempotencyKey,
} from '../gateway.ts';
import { isNotFound, ProviderError } from '../provider-error.ts';
import { captureOutcome, declineReasons } from './capture-issues.ts';
import { createPaypalClient } from './client.ts';
import { readers, readPaypalEvent } from './events.ts';
import {
  factOfDispute,
  factsOfOrder,
  invoiceIdOf,
  metadataOf,
  namedOrder,
  orderOfCapture,
  type PaypalDispute,
  type PaypalEvent,
  type PaypalOrder,
  paypalCapture,
  paypalDispute,
  paypalEventPage,
  paypalOrder,
} from './facts.ts';
import { paypalWebhook } from './webhook.ts';

export type PaypalGateway = ReturnType<typeof createPaypalGateway>;

/** A capture and the looks at what became of it end within 10 s together. */
const CAPTURE_MS = 5_500;
const LOOK_MS = 4_000;
/** How long PayPal may take to show what became of a capture that was not answered with a success. */
const SECOND_LOOK_MS = 1_000;

export function createPaypalGateway({
  paypal: config,
  deployment,
  publicUrl,
}: Pick<Config, 'paypal' | 'deployment' | 'publicUrl'>) {
  const client = createPaypalClient(config);

  async function report(paymentId: string, observedAt: number): Promise<LiveReport> {
    try {
      const order = await client.ask('get order', ({ orders }) => orders.getOrder({ id: paymentId }));
      return reportOf(paypalOrder.parse(order), observedAt);
    } catch (error) {
      if (!isNotFound(error)) throw error;
      // PayPal forgets an order that was not approved in time.
      const gone: PaymentFact = {
        kind: 'attempt',
        paymentId,
        status: 'canceled',
        reason: 'expired',
        observedAt,
      };
      return { paymentId, metadata: {}, stage: 'closed', facts: [gone] };
    }
  }

  /** What became of a capture that was refused or not answered: PayPal's order says. */
  async function reportAfterCapture(
    paymentId: string,
    observedAt: number,
    failure: ProviderError,
  ): Promise<PaymentReport> {
    const outcome = captureOutcome(failure.reason);
    const isUndecided = outcome === 'captured' || outcome === 'pending' || isTransient(failure);
    const state = await within(LOOK_MS, lookAfterCapture(paymentId, observedAt, isUndecided)).catch(
      () => undefined,
    );
    if (state && state.facts.length > 0) return state;
    // The money may be on its way all the same: only a success or a refusal is an end.
    if (isUndecided) return state ?? { paymentId, metadata: {}, stage: 'approved', facts: [] };
    if (outcome === 'ours') throw failure;
    const undecided = state ?? { paymentId, metadata: {}, facts: [] };
    if (outcome === 'not approved') return { ...undecided, stage: 'open' };
    const fact: PaymentFact = {
      kind: 'attempt',
      paymentId,
      status: 'failed',
      reason: declineReasons[outcome],
      observedAt,
    };
    return { ...undecided, stage: outcome === 'retry' ? 'open' : 'closed', facts: [fact] };
  }

  async function lookAfterCapture(paymentId: string, observedAt: number, isUndecided: boolean) {
    const first = await report(paymentId, observedAt).catch(() => undefined);
    if (!isUndecided || (first && first.facts.length > 0)) return first;
    await sleep(SECOND_LOOK_MS);
    return report(paymentId, observedAt).catch(() => first);
  }

  async function paymentOfCapture(captureId: string): Promise<string | undefined> {
    const capture = await client.ask('get capture', ({ payments }) =>
      payments.getCapturedPayment({ captureId }),
    );
    return orderOfCapture(paypalCapture.parse(capture));
  }

  async function reportOfCapture(captureId: string, { now, paymentIdsOf }: EventContext) {
    const capture = paypalCapture.parse(
      await client.ask('get capture', ({ payments }) => payments.getCapturedPayment({ captureId })),
    );
    const candidates = [orderOfCapture(capture), ...(await paymentIdsOf(namedOrder(capture)))];
    for (const paymentId of candidates.filter((id) => id !== undefined)) {
      const found = await report(paymentId, await now());
      if (orderOfCapture(capture) === paymentId || hasCapture(found, captureId)) return found;
    }
    return undefined;
  }

  async function findDispute(disputeId: string): Promise<PaypalDispute> {
    const path = `/v1/customer/disputes/${encodeURIComponent(disputeId)}`;
    return paypalDispute.parse(
      await client.ask('get dispute', (api) => api.request('GET', path).callAsText()),
    );
  }

  async function reportOfDispute(disputeId: string, context: EventContext) {
    const observedAt = await context.now();
    const dispute = await findDispute(disputeId);
    const payment = await disputedPayment(dispute, context);
    if (!payment) return undefined;
    return { ...payment, facts: [...payment.facts, factOfDispute(payment.paymentId, dispute, observedAt)] };
  }

  /** The seller's transaction is optional in PayPal's document, and so is what we wrote on it. */
  async function disputedPayment(
    { disputed_transactions: [transaction] }: PaypalDispute,
    context: EventContext,
  ) {
    const { seller_transaction_id: captureId, custom, invoice_number: invoice } = transaction ?? {};
    if (captureId) return reportOfCapture(captureId, context);
    const orderId = namedOrder({ custom_id: custom, invoice_id: invoice });
    const [paymentId] = await context.paymentIdsOf(orderId);
    return paymentId ? report(paymentId, await context.now()) : undefined;
  }

  async function* listEvents(since: Date): AsyncGenerator<PaypalEvent> {
    let query: Record<string, string> | undefined = { start_time: since.toISOString(), page_size: '300' };
    while (query) {
      const params: Record<string, string> = query;
      const page = paypalEventPage.parse(
        await client.ask('list events', (api) => {
          const request = api.request('GET', '/v1/notifications/webhooks-events');
          request.query(params);
          return request.callAsText();
        }),
      );
      yield* page.events;
      const next = page.links.find(({ rel }) => rel === 'next')?.href;
      query = next && page.events.length > 0 ? Object.fromEntries(new URL(next).searchParams) : undefined;
    }
  }

  return {
    handledEvents: Object.keys(readers),
    webhook: paypalWebhook(config, client),
    report,

    /** The token with which the buyer's browser opens PayPal's window. It lives for 15 minutes. */
    clientToken: () => client.clientToken(new URL(publicUrl).host),

    async createPayment(order: OrderToPay): Promise<Payment> {
      const created = await client.ask('create order', ({ orders }) =>
        orders.createOrder({
          paypalRequestId: paymentIdempotencyKey(order),
          prefer: 'return=minimal',
          body: orderRequest(order, deployment, publicUrl),
        }),
      );
      return { paymentId: paypalOrder.parse(created).id };
    },

    /**
     * Captures once: PayPal captures an order a single time, whoever asks, and of two simultaneous calls with one
     * PayPal-Request-Id the second may fail. So after anything but a success PayPal's order says what became of it.
     */
    async capturePayment(paymentId: string, order: { id: string; facts: PaymentFacts }, observedAt: number) {
      const { attempt } = order.facts;
      // After a decline the same id would repeat PayPal's first answer.
      const again = attempt?.status === 'failed' ? `-${attempt.observedAt}` : '';
      const paypalRequestId = `capture-${paymentId}${again}`;
      try {
        const captured = await client.ask(
          'capture order',
          ({ orders }) =>
            orders.captureOrder({ id: paymentId, paypalRequestId, prefer: 'return=representation' }),
          CAPTURE_MS,
        );
        return reportOf(paypalOrder.parse(captured), observedAt);
      } catch (error) {
        if (!(error instanceof ProviderError)) throw error;
        return reportAfterCapture(paymentId, observedAt, error);
      }
    },

    // PayPal cannot cancel an order; but only we can capture it, and one that was replaced we never do.
    async cancelPayment(paymentId: string, observedAt: number): Promise<PaymentReport> {
      const state = await report(paymentId, observedAt);
      if (state.facts.length > 0) return state;
      const reason = 'abandoned';
      return { ...state, facts: [{ kind: 'attempt', paymentId, status: 'canceled', reason, observedAt }] };
    },

    async refundPayment(paymentId: string): Promise<void> {
      const order = paypalOrder.parse(
        await client.ask('get order', ({ orders }) => orders.getOrder({ id: paymentId })),
      );
      const { captures = [] } = order.purchase_units[0]?.payments ?? {};
      for (const { id: captureId } of captures) await refundCapture(captureId);
    },

    // Its id is stored before the buyer gets it: a PayPal order that we do not know cannot have been approved.
    findPaymentOf: async () => undefined,

    readEvent: (payload: unknown, context: EventContext) =>
      readPaypalEvent(
        {
          report: (paymentId) => context.ask(async () => report(paymentId, await context.now())),
          reportOfCapture: (captureId) => context.ask(() => reportOfCapture(captureId, context)),
          reportOfDispute: (disputeId) => context.ask(() => reportOfDispute(disputeId, context)),
        },
        payload,
      ),

    async *eventsSince(since: Date): AsyncGenerator<ProviderEvent> {
      for await (const event of listEvents(since)) {
        if (!(event.event_type in readers)) continue;
        yield { eventId: event.id, type: event.event_type, payload: JSON.stringify(event) };
      }
    },

    // PayPal lists payments to accounts of a higher grade only; every account may list its webhook events.
    async *paymentsSince(since: Date): AsyncGenerator<ListedPayment> {
      for await (const { event_type, resource } of listEvents(since)) {
        if (event_type !== 'PAYMENT.CAPTURE.COMPLETED') continue;
        const capture = paypalCapture.parse(resource);
        const paymentId = orderOfCapture(capture) ?? (await paymentOfCapture(capture.id));
        if (paymentId) yield { paymentId, metadata: metadataOf(capture) };
      }
    },
  } satisfies PaymentGateway & { clientToken(): Promise<string> };

  /** A stored failure keeps its PayPal-Request-Id, and a second full refund is refused: a further id is safe. */
  async function refundCapture(captureId: string): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        const paypalRequestId = `refund-${captureId}${attempt > 1 ? `-${attempt}` : ''}`;
        await client.ask('refund capture', ({ payments }) =>
          payments.refundCapturedPayment({ captureId, paypalRequestId }),
        );
        return;
      } catch (error) {
        const { reason, statusCode = 0 } = error as ProviderError;
        if (reason === 'CAPTURE_FULLY_REFUNDED') return;
        if (statusCode < 500 || attempt === 3) throw error;
      }
    }
  }
}

function orderRequest({ id, receipt, ...money }: OrderToPay, deployment: string, publicUrl: string) {
  return {
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
          returnUrl: publicUrl + successFor(id),
          cancelUrl: publicUrl + paths.payment,
        },
      },
    },
  };
}

function reportOf(order: PaypalOrder, observedAt: number): LiveReport {
  return {
    paymentId: order.id,
    metadata: metadataOf(order.purchase_units[0] ?? {}),
    stage: stageOf(order),
    facts: factsOfOrder(order, observedAt),
  };
}

function stageOf({ status }: PaypalOrder): PaymentReport['stage'] {
  if (status === 'APPROVED') return 'approved';
  return status === 'COMPLETED' || status === 'VOIDED' ? 'closed' : 'open';
}

function hasCapture({ facts }: PaymentReport, captureId: string): boolean {
  return facts.some((fact) => fact.kind === 'captured' && fact.captureId === captureId);
}

/** No answer, or one that says nothing about the capture itself. */
function isTransient({ statusCode }: ProviderError): boolean {
  return statusCode === undefined || statusCode >= 500 || statusCode === 409 || statusCode === 429;
}

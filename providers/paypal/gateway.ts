import {
  CheckoutPaymentIntent,
  PaypalExperienceUserAction,
  PaypalWalletContextShippingPreference,
  type RefundRequest as RefundBody,
} from '@paypal/paypal-server-sdk';
import { type Money, toDecimalString } from '../../core/money.ts';
import { paths, successFor } from '../../core/paths.ts';
import type { PaymentReport } from '../../core/payment-reports.ts';
import type { Config } from '../../infra/config.ts';
import {
  type EventContext,
  type ListedPayment,
  type OrderToPay,
  type Payment,
  type PaymentGateway,
  type PaymentOrigin,
  type ProviderEvent,
  paymentIdempotencyKey,
  type RefundRequest,
} from '../gateway.ts';
import { ProviderError } from '../provider-error.ts';
import { isRefundMade, type ListedRefund } from '../refunded-otherwise.ts';
import { createPaypalCapture } from './capture.ts';
import { createPaypalClient, type PaypalClient } from './client.ts';
import { readers, readPaypalEvent } from './events.ts';
import {
  invoiceIdOf,
  metadataOf,
  orderOfCapture,
  type PaypalOrder,
  paypalCapture,
  paypalOrder,
  paypalOrigin,
  toMoney,
} from './facts.ts';
import { createPaypalReports } from './reports.ts';
import { paypalWebhook } from './webhook.ts';
import { paypalWebhookRegistry } from './webhook-registry.ts';

export type PaypalGateway = ReturnType<typeof createPaypalGateway>;

export function createPaypalGateway({
  paypal: config,
  deployment,
  publicUrl,
}: Pick<Config, 'paypal' | 'deployment' | 'publicUrl'>) {
  const client = createPaypalClient(config);
  const reports = createPaypalReports(client);
  const { report, reportOfCapture, reportOfDispute, paymentOfCapture, listEvents } = reports;
  const readOrder = async (id: string): Promise<PaypalOrder> =>
    paypalOrder.parse(await client.ask('get order', ({ orders }) => orders.getOrder({ id })));

  return {
    handledEvents: Object.keys(readers),
    webhook: paypalWebhook(config, client),
    webhookRegistry: paypalWebhookRegistry(config, client),
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

    capturePayment: createPaypalCapture(client, reports),

    // PayPal cannot cancel an order. But only we can capture it, and we do not start to once it is replaced or expired. A
    // capture in progress continues, so the cancellation is a fact about the order, without a payment id.
    async cancelPayment(paymentId: string, observedAt: number): Promise<PaymentReport> {
      const state = await report(paymentId, observedAt);
      if (state.facts.length > 0 || state.stage === 'approved') return state;
      const reason = 'abandoned';
      return { ...state, facts: [{ kind: 'attempt', status: 'canceled', reason, observedAt }] };
    },

    async refundPayment(paymentId: string): Promise<void> {
      const { captures = [] } = (await readOrder(paymentId)).purchase_units[0]?.payments ?? {};
      for (const { id: captureId } of captures) {
        await refundCapture(client, { captureId, id: `refund-${captureId}` }).catch((error) => {
          if ((error as ProviderError).reason !== 'CAPTURE_FULLY_REFUNDED') throw error;
        });
      }
    },

    async refundPart(paymentId: string, money: Money, request: RefundRequest): Promise<void> {
      const order = await readOrder(paymentId);
      const [capture] = order.purchase_units[0]?.payments?.captures ?? [];
      if (!capture) throw new ProviderError('paypal', 'PayPal: no capture to refund', noCapture);
      if (isRefundMade('paypal', listedRefunds(order), request)) return;
      const body = {
        customId: request.key,
        amount: { currencyCode: money.currency, value: toDecimalString(money.amount) },
      };
      await refundCapture(client, { captureId: capture.id, id: `refund-${request.key}`, body });
    },

    // The id is stored before the buyer gets it, so a PayPal order that we do not know cannot have been approved.
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

    async *eventsSince(since: Date, until?: Date): AsyncGenerator<ProviderEvent> {
      for await (const event of listEvents(since, until)) {
        if (!(event.event_type in readers)) continue;
        yield { eventId: event.id, type: event.event_type, payload: JSON.stringify(event) };
      }
    },

    async originOf(paymentId: string): Promise<PaymentOrigin> {
      const order = await client.ask('get order', ({ orders }) => orders.getOrder({ id: paymentId }));
      const { create_time, purchase_units, payer } = paypalOrigin.parse(order);
      const [{ amount, description }] = purchase_units;
      const { given_name: first, surname: last } = payer?.name ?? {};
      return {
        ...toMoney(amount),
        receipt: description ?? null,
        createdAt: new Date(create_time),
        payerName: [first, last].filter(Boolean).join(' ') || null,
        payerEmail: payer?.email_address ?? null,
      };
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
}

const noCapture = { statusCode: 422, reason: 'NO_CAPTURE', cause: undefined };

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

/** How long one further id is used. */
const NEXT_ID_MS = 10_000;

/**
 * Refunds all of a capture, or the amount in `body`, once. PayPal keeps its answer to an id for 45 days (Payments v2,
 * PayPal-Request-Id), even of a refusal whose cause is gone: then a further id is tried. After a 5xx, which says nothing
 * about the refund, that is safe for a full one only, as PayPal refuses a second.
 */
async function refundCapture(
  client: PaypalClient,
  { captureId, id, body }: { captureId: string; id: string; body?: RefundBody },
): Promise<void> {
  const refund = (paypalRequestId: string) =>
    client.ask('refund capture', ({ payments }) =>
      payments.refundCapturedPayment({ captureId, paypalRequestId, ...(body && { body }) }),
    );
  try {
    await refund(id);
  } catch (error) {
    const { statusCode = 0 } = error as ProviderError;
    const isRefused = refusals.has(statusCode);
    if (!isRefused && (body || statusCode < 500)) throw error;
    await refund(`${id}-${Math.floor(Date.now() / NEXT_ID_MS)}`);
  }
}

const refusals = new Set([400, 403, 404, 422]);

/** Ours carry the key of the request instead of the order's id, which PayPal may copy from the capture. */
function listedRefunds({ purchase_units: [unit] }: PaypalOrder): ListedRefund[] {
  return (unit?.payments?.refunds ?? []).map(({ id, status, custom_id: key }) => ({
    id,
    key: key === unit?.custom_id ? undefined : key,
    isOver: status === 'FAILED' || status === 'CANCELLED',
  }));
}

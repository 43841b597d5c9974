import {
  CheckoutPaymentIntent,
  PaypalExperienceUserAction,
  PaypalWalletContextShippingPreference,
  type RefundRequest as RefundBody,
} from '@paypal/paypal-server-sdk';
import type { Money } from '../../core/money.ts';
import { paths, successFor } from '../../core/paths.ts';
import { isIdle, type PaymentReport } from '../../core/payment-reports.ts';
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
import { isRefundMade } from '../refunded-elsewhere.ts';
import { createPaypalCapture } from './capture.ts';
import { createPaypalClient, type PaypalClient } from './client.ts';
import { readers, readPaypalEvent } from './events.ts';
import { fromMoney, invoiceIdOf, keyOfRefund, metadataOf, orderOfCapture, toMoney } from './facts.ts';
import { createPaypalReports } from './reports.ts';
import {
  type PaypalCapture,
  type PaypalOrder,
  paypalCapture,
  paypalOrder,
  paypalOrigin,
} from './resources.ts';
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
      if (!isIdle(state) || state.stage === 'approved') return state;
      const canceled = { kind: 'attempt', status: 'canceled', reason: 'abandoned', observedAt } as const;
      return { ...state, facts: [...state.facts, canceled] };
    },

    async refundPayment(paymentId: string): Promise<void> {
      const { captures = [] } = (await readOrder(paymentId)).purchase_units[0]?.payments ?? {};
      for (const { id } of captures) await refundAll(client, id);
    },

    // PayPal keeps its answer to an id for 45 days, even of a refusal whose cause is gone (Payments v2, PayPal-Request-Id), and
    // a call without an answer has to be repeated under its id. So only a person's retry gets another one.
    async refundPart(paymentId: string, money: Money, request: RefundRequest): Promise<void> {
      const order = await readOrder(paymentId);
      const [capture] = order.purchase_units[0]?.payments?.captures ?? [];
      if (!capture) throw new ProviderError('paypal', 'PayPal: no capture to refund', noCapture);
      const refunds = listedRefunds(order);
      if (isRefundMade('paypal', refunds, request)) return;
      const { key: customId, retries = 0 } = request;
      const paypalRequestId = `refund-${customId}${retries > 0 ? `-${retries}` : ''}`;
      const amount = fromMoney(money);
      // During a dispute PayPal takes a full refund only, which is one without an amount.
      const isFull = money.amount === leftOf(capture, refunds);
      await refundCapture(client, capture.id, paypalRequestId, isFull ? { customId } : { customId, amount });
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
        amount: fromMoney(money),
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

/** Refunds all that is left of a capture. PayPal makes one full refund, so that a further id is safe after any answer. */
async function refundAll(client: PaypalClient, captureId: string): Promise<void> {
  const id = `refund-${captureId}`;
  try {
    await refundCapture(client, captureId, id).catch((error) => {
      if ((error as ProviderError).statusCode === undefined) throw error;
      return refundCapture(client, captureId, `${id}-${Date.now()}`);
    });
  } catch (error) {
    if ((error as ProviderError).reason !== 'CAPTURE_FULLY_REFUNDED') throw error;
  }
}

function refundCapture(client: PaypalClient, captureId: string, paypalRequestId: string, body?: RefundBody) {
  return client.ask('refund capture', ({ payments }) =>
    payments.refundCapturedPayment({ captureId, paypalRequestId, ...(body && { body }) }),
  );
}

function listedRefunds({ purchase_units: [unit] }: PaypalOrder) {
  return (unit?.payments?.refunds ?? []).map((refund) => ({
    id: refund.id,
    key: keyOfRefund(refund, unit?.custom_id),
    hasFailed: refund.status === 'FAILED' || refund.status === 'CANCELLED',
    amount: toMoney(refund.amount).amount,
  }));
}

/** Cents of the capture that are neither refunded nor about to be. */
function leftOf(capture: PaypalCapture, refunds: { hasFailed: boolean; amount: number }[]): number {
  const returned = refunds.filter(({ hasFailed }) => !hasFailed).reduce((sum, { amount }) => sum + amount, 0);
  return toMoney(capture.amount).amount - returned;
}

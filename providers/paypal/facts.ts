import { z } from 'zod';
import { CURRENCY, fromDecimalString, type Money } from '../../core/money.ts';
import type { PaymentFact } from '../../core/payment-facts.ts';
import type { PaymentReport } from '../gateway.ts';

// PayPal's resources as far as the pipeline reads them, the same in answers and in webhook events:
// Orders v2, Payments v2 and Disputes v1 of PayPal's API.

const money = z.object({ currency_code: z.string(), value: z.string() });
const link = z.object({ rel: z.string(), href: z.string() });
const ours = { custom_id: z.string().optional(), invoice_id: z.string().optional() };

export const paypalCapture = z.object({
  ...ours,
  id: z.string(),
  status: z.string(),
  status_details: z.object({ reason: z.string().optional() }).optional(),
  amount: money,
  supplementary_data: z
    .object({ related_ids: z.object({ order_id: z.string().optional() }).optional() })
    .optional(),
});

export const paypalRefund = z.object({
  ...ours,
  id: z.string(),
  status: z.string(),
  amount: money,
  seller_payable_breakdown: z.object({ total_refunded_amount: money.optional() }).optional(),
  links: z.array(link).default([]),
});

export const paypalOrder = z.object({
  id: z.string(),
  status: z.string(),
  purchase_units: z
    .array(
      z.object({
        ...ours,
        payments: z
          .object({ captures: z.array(paypalCapture).optional(), refunds: z.array(paypalRefund).optional() })
          .optional(),
      }),
    )
    .default([]),
});

export const paypalDispute = z.object({
  dispute_id: z.string(),
  status: z.string(),
  dispute_amount: money,
  dispute_outcome: z.object({ outcome_code: z.string().optional() }).optional(),
  disputed_transactions: z.array(z.object({ seller_transaction_id: z.string().optional() })).default([]),
});

/** An event as its webhook carries it and as PayPal lists it; nothing of it is lost, for it is stored whole. */
export const paypalEvent = z.looseObject({ id: z.string(), event_type: z.string(), resource: z.unknown() });

export const paypalEventPage = z.object({
  events: z.array(paypalEvent).default([]),
  links: z.array(link).default([]),
});

export type PaypalEvent = z.infer<typeof paypalEvent>;
export type PaypalOrder = z.infer<typeof paypalOrder>;
export type PaypalCapture = z.infer<typeof paypalCapture>;
export type PaypalRefund = z.infer<typeof paypalRefund>;
export type PaypalDispute = z.infer<typeof paypalDispute>;

/** The invoice id says whose the payment is: this application, this deployment, this order. */
export function invoiceIdOf(deployment: string, orderId: string): string {
  return `querywright-${deployment}-${orderId}`;
}

/** What we wrote on a payment when we made it. Another application's payment has another invoice id, or none. */
export function metadataOf(resource: { custom_id?: string; invoice_id?: string }): PaymentReport['metadata'] {
  const invoice = /^querywright-(.+)-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.exec(
    resource.invoice_id ?? '',
  );
  return {
    app: invoice ? 'querywright' : 'another application',
    deployment: invoice?.[1],
    orderId: resource.custom_id,
  };
}

/** All that an order of PayPal's says of its payment. */
export function factsOfOrder(order: PaypalOrder, observedAt: number): PaymentFact[] {
  const { captures = [], refunds = [] } = order.purchase_units[0]?.payments ?? {};
  if (order.status === 'VOIDED')
    return [{ kind: 'attempt', status: 'canceled', reason: 'voided', observedAt }];
  return [
    ...captures.flatMap((capture) => factsOfCapture(capture, observedAt)),
    ...refunds.flatMap(factsOfRefund),
    ...captures.flatMap((capture) => sumOfRefunds(capture, refunds)),
  ];
}

/** Facts in a capture. That money came is believed from any copy; the state of an attempt only from a fresh one. */
export function factsOfCapture(capture: PaypalCapture, observedAt: number): PaymentFact[] {
  const captureId = capture.id;
  const amount = toMoney(capture.amount);
  switch (capture.status) {
    case 'COMPLETED':
    case 'PARTIALLY_REFUNDED':
      return [{ kind: 'captured', captureId, provider: 'paypal', ...amount }];
    case 'REFUNDED':
      return [
        { kind: 'captured', captureId, provider: 'paypal', ...amount },
        { kind: 'refunded', captureId, total: amount.amount },
      ];
    case 'PENDING':
      return [{ kind: 'attempt', status: 'processing', reason: null, observedAt }];
    default:
      return [{ kind: 'attempt', status: 'failed', reason: 'PayPal declined the payment.', observedAt }];
  }
}

/** A refund tells the total that went back of its capture so far. */
export function factsOfRefund(refund: PaypalRefund): PaymentFact[] {
  const captureId = captureOfRefund(refund);
  const total = refund.seller_payable_breakdown?.total_refunded_amount;
  if (!captureId || !total || refund.status !== 'COMPLETED') return [];
  return [{ kind: 'refunded', captureId, total: toMoney(total).amount }];
}

/** The capture that was refunded: PayPal names it in a link only. */
export function captureOfRefund(refund: PaypalRefund): string | undefined {
  const href = refund.links.find(({ rel }) => rel === 'up')?.href;
  return href && /\/captures\/([A-Z0-9]+)$/.exec(href)?.[1];
}

// Beside the provider's own total, for refunds that come without one.
function sumOfRefunds(capture: PaypalCapture, refunds: PaypalRefund[]): PaymentFact[] {
  const total = refunds
    .filter((refund) => refund.status === 'COMPLETED' && captureOfRefund(refund) === capture.id)
    .reduce((sum, refund) => sum + toMoney(refund.amount).amount, 0);
  return total > 0 ? [{ kind: 'refunded', captureId: capture.id, total }] : [];
}

/** What a dispute says. A lost one is booked by PayPal as a refund of the capture, where its money is counted. */
export function factOfDispute(dispute: PaypalDispute): PaymentFact {
  const outcome = dispute.dispute_outcome?.outcome_code;
  const amount = toMoney(dispute.dispute_amount).amount;
  const lost = outcome === 'RESOLVED_BUYER_FAVOUR' || outcome === 'ACCEPTED';
  return {
    kind: 'dispute',
    disputeId: dispute.dispute_id,
    amount,
    outcome: dispute.status !== 'RESOLVED' ? 'open' : lost ? 'lost' : 'won',
    bookedAsRefund: true,
  };
}

/** Amounts that are not whole cents of a decimal currency are kept apart from every price of ours. */
function toMoney({ currency_code: currency, value }: z.infer<typeof money>): Money {
  if (currency !== CURRENCY && !/^\d+\.\d\d$/.test(value))
    return { amount: Math.round(Number(value)), currency };
  return { amount: fromDecimalString(value), currency };
}

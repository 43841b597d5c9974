import { CURRENCY, fromDecimalString, type Money, toDecimalString } from '../../core/money.ts';
import type { disputeEndings, PaymentFact, RefundFact } from '../../core/payment-facts.ts';
import { OUR_APP, type PaymentReport } from '../../core/payment-reports.ts';
import type { PaypalCapture, PaypalDispute, PaypalMoney, PaypalOrder, PaypalRefund } from './resources.ts';

/** The invoice id says whose the payment is: this application, this deployment, this order. */
export function invoiceIdOf(deployment: string, orderId: string): string {
  return `querywright-${deployment}-${orderId}`;
}

const OUR_INVOICE = /^querywright-([\w.-]{1,60})-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

export function isOurInvoice(invoiceId: string): boolean {
  return OUR_INVOICE.test(invoiceId);
}

/** What we wrote on a payment when we created it. Another application's payment has another invoice id, or none. */
export function metadataOf(resource: { custom_id?: string; invoice_id?: string }): PaymentReport['metadata'] {
  const [, deployment] = OUR_INVOICE.exec(resource.invoice_id ?? '') ?? [];
  return {
    app: deployment ? OUR_APP : 'another application',
    deployment,
    orderId: resource.custom_id,
  };
}

/** The order that a payment names in either field: enough to look it up, not enough to count as its payment. */
export function namedOrder(resource: { custom_id?: string; invoice_id?: string }): string | undefined {
  return resource.custom_id ?? orderOfInvoice(resource.invoice_id);
}

/** The order id in one of our invoice ids. */
export function orderOfInvoice(invoiceId = ''): string | undefined {
  return OUR_INVOICE.exec(invoiceId)?.[2];
}

/** All that an order of PayPal's says about its payment. */
export function factsOfOrder(order: PaypalOrder, observedAt: number): PaymentFact[] {
  const { captures = [], refunds = [] } = order.purchase_units[0]?.payments ?? {};
  if (order.status === 'VOIDED') {
    return [{ kind: 'attempt', paymentId: order.id, status: 'canceled', reason: 'voided', observedAt }];
  }
  return [
    ...captures.flatMap((capture) => factsOfCapture(order.id, capture, observedAt)),
    ...refunds.map((refund) =>
      factOfRefund(order.id, refund, observedAt, order.purchase_units[0]?.custom_id),
    ),
  ];
}

/**
 * Why a capture may be pending until we accept it, or put our account in order, in PayPal's dashboard
 * (https://developer.paypal.com/docs/api/payments/v2/#definition-capture_status_details).
 */
const waitsForUs = new Set([
  'INTERNATIONAL_WITHDRAWAL',
  'RECEIVING_PREFERENCE_MANDATES_MANUAL_ACTION',
  'UNILATERAL',
  'VERIFICATION_REQUIRED',
]);

/** Facts in a capture. Money is believed from any copy; the state of an attempt only from a fresh one. */
export function factsOfCapture(paymentId: string, capture: PaypalCapture, observedAt: number): PaymentFact[] {
  const amount = toMoney(capture.amount);
  const captured: PaymentFact = {
    kind: 'captured',
    paymentId,
    captureId: capture.id,
    provider: 'paypal',
    ...amount,
  };
  switch (capture.status) {
    case 'COMPLETED':
    case 'PARTIALLY_REFUNDED':
      return [captured];
    case 'REFUNDED':
      return [captured, { kind: 'refunded_total', paymentId, total: amount.amount }];
    case 'PENDING': {
      const why = capture.status_details?.reason ?? '';
      const held = waitsForUs.has(why) ? { heldFor: why } : {};
      return [{ kind: 'attempt', paymentId, status: 'processing', reason: null, observedAt, ...held }];
    }
    default: {
      const reason = 'PayPal declined the payment.';
      return [{ kind: 'attempt', paymentId, status: 'failed', reason, observedAt }];
    }
  }
}

/** The key of our request for a refund. PayPal may copy the order's id from the capture instead. */
export function keyOfRefund(
  { custom_id: key }: PaypalRefund,
  orderId: string | undefined,
): string | undefined {
  return key === orderId ? undefined : key;
}

export function factOfRefund(
  paymentId: string,
  refund: PaypalRefund,
  observedAt: number,
  orderId: string | undefined,
): RefundFact {
  return {
    kind: 'refund',
    refundId: refund.id,
    paymentId,
    amount: toMoney(refund.amount).amount,
    status: refundStatuses[refund.status] ?? 'pending',
    observedAt,
    ...(keyOfRefund(refund, orderId) ? { isOurs: true } : {}),
  };
}

const refundStatuses: Record<string, 'pending' | 'succeeded' | 'failed' | 'canceled'> = {
  PENDING: 'pending',
  COMPLETED: 'succeeded',
  FAILED: 'failed',
  CANCELLED: 'canceled',
};

/** The capture that was refunded: PayPal names it in a link only. */
export function captureOfRefund(refund: PaypalRefund): string | undefined {
  return idInLink(refund.links, 'captures');
}

/** The PayPal order of a capture: `related_ids` is optional, and so is the link. */
export function orderOfCapture(capture: PaypalCapture): string | undefined {
  return capture.supplementary_data?.related_ids?.order_id ?? idInLink(capture.links, 'orders');
}

function idInLink(
  list: { rel: string; href: string }[],
  resource: 'captures' | 'orders',
): string | undefined {
  const href = list.find(({ rel }) => rel === 'up')?.href ?? '';
  return new RegExp(`/${resource}/([A-Z0-9]{1,40})$`).exec(href)?.[1];
}

/**
 * What a dispute says. PayPal may book a lost one as a refund of the capture: its money counts once. It may have taken less
 * than was disputed, as when buyer and seller agree on a partial refund
 * (https://developer.paypal.com/api/customer-disputes/v1/definitions/dispute_outcome).
 */
export function factOfDispute(
  paymentId: string,
  dispute: PaypalDispute,
  observedAt: number,
): Extract<PaymentFact, { kind: 'dispute' }> {
  const { outcome_code: code, amount_refunded: refunded } = dispute.dispute_outcome ?? {};
  const disputed = toMoney(dispute.dispute_amount);
  const taken = refunded ? toMoney(refunded) : disputed;
  const outcome = disputeOutcome(dispute);
  const ending = outcome === 'won' ? endings[code ?? ''] : undefined;
  const dueAt = hasResponse.has(dispute.status)
    ? Number.NaN
    : Date.parse(dispute.seller_response_due_date ?? '');
  return {
    kind: 'dispute',
    disputeId: dispute.dispute_id,
    paymentId,
    amount: outcome === 'lost' && taken.currency === disputed.currency ? taken.amount : disputed.amount,
    outcome,
    ...(ending ? { ending } : {}),
    // A full refund ends a dispute in the buyer's favor (xiaoleih41 in https://github.com/paypal/PayPal-PHP-SDK/issues/959).
    ...(outcome === 'won' ? { isDecided: true } : {}),
    observedAt,
    bookedAsRefund: true,
    ...(isRefundable(dispute) ? { isRefundable: true } : {}),
    ...(dispute.reason ? { reason: dispute.reason } : {}),
    ...(Number.isNaN(dueAt) ? {} : { evidenceDueAt: dueAt }),
  };
}

export function disputeOutcome({ status, dispute_outcome: end }: PaypalDispute): 'open' | 'won' | 'lost' {
  if (status !== 'RESOLVED') return 'open';
  const code = end?.outcome_code;
  return code === 'RESOLVED_BUYER_FAVOUR' || code === 'ACCEPTED' ? 'lost' : 'won';
}

/**
 * Outcomes that neither side won; we keep the money. NONE: closed without a decision, because another dispute of the same
 * transaction was opened (PayPal's Disputes FAQ). RESOLVED_WITH_PAYOUT: PayPal paid the seller or the buyer itself
 * (https://developer.paypal.com/api/customer-disputes/v1/definitions/dispute_outcome).
 */
const endings: Record<string, (typeof disputeEndings)[number]> = {
  NONE: 'none',
  RESOLVED_WITH_PAYOUT: 'payout',
};

/**
 * Statuses in which PayPal does not wait for the seller; it may ask for more evidence later
 * (https://developer.paypal.com/api/customer-disputes/v1/disputes-require-evidence).
 */
const hasResponse = new Set(['UNDER_REVIEW', 'WAITING_FOR_BUYER_RESPONSE', 'RESOLVED']);

/**
 * Until PayPal reviews a case, a full refund closes it (https://www.paypal.com/be/smarthelp/article/faq434). During a
 * chargeback at the buyer's bank PayPal refuses one: REFUND_NOT_PERMITTED_DUE_TO_CHARGEBACK
 * (https://developer.paypal.com/api/payments/v2/#captures_refund).
 */
function isRefundable({ dispute_channel: channel, status }: PaypalDispute): boolean {
  return channel === 'INTERNAL' && (status === 'OPEN' || status === 'WAITING_FOR_SELLER_RESPONSE');
}

/**
 * A payment's facts with a dispute added. `dispute_amount` covers all disputed transactions, so it is capped at what this
 * payment took (https://developer.paypal.com/api/customer-disputes/v1/disputes-get, disputed_transactions). The refund by which
 * PayPal booked a lost one is marked.
 */
export function factsWithDispute(
  { paymentId, facts }: { paymentId: string; facts: PaymentFact[] },
  dispute: PaypalDispute,
  observedAt: number,
): PaymentFact[] {
  const fact = factOfDispute(paymentId, dispute, observedAt);
  const taken = facts.flatMap((known) => (known.kind === 'captured' ? [known.amount] : []));
  const amount = Math.min(fact.amount, ...taken);
  const isBooking = (known: PaymentFact) =>
    fact.outcome === 'lost' &&
    known.kind === 'refund' &&
    known.status === 'succeeded' &&
    !known.isOurs &&
    known.amount === amount;
  const marked = facts.map((known) => (isBooking(known) ? { ...known, isReversal: true as const } : known));
  return [...marked, { ...fact, amount }];
}

/** A fraction of a hundredth is rounded: it cannot belong to a price of ours, whose currency has none. */
export function toMoney({ currency_code: currency, value }: PaypalMoney): Money {
  const amount = currency === CURRENCY ? fromDecimalString(value) : Math.round(Number(value) * 100);
  return { amount, currency };
}

export function fromMoney({ currency, amount }: Money): { currencyCode: string; value: string } {
  const value = toDecimalString(amount);
  return {
    currencyCode: currency,
    value: withoutDecimals.has(currency) ? value.replace(/\.00$/, '') : value,
  };
}

/** https://developer.paypal.com/reports/reference/supported-currencies */
const withoutDecimals = new Set(['HUF', 'JPY', 'TWD']);

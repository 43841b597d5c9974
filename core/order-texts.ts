import { firstSentence } from './first-sentence.ts';
import { formatMoney } from './money.ts';
import type { MoneyTaken, OrderStatus, OrderView, PaymentMethod } from './orders.ts';
import { retryAdvice } from './payment-method.ts';

export type Tone = 'good' | 'waiting' | 'bad' | 'neutral';

export interface StatusText {
  tone: Tone;
  label: string;
  title: string;
  text: string;
  /** Shown beside the order: next steps, another attempt at paying, or where to ask. */
  next: 'steps' | 'steps-once-paid' | 'pay' | 'pay-again' | 'order-again' | 'questions';
}

export const orderLabels: Record<OrderStatus, string> = {
  pending: 'Pending',
  processing: 'Processing',
  paid: 'Paid',
  failed: 'Failed',
  canceled: 'Canceled',
  partially_refunded: 'Partially refunded',
  refunded: 'Refunded',
  disputed: 'Disputed',
  review: 'Under review',
};

/** The provider as staff know it. */
export const brands: Record<PaymentMethod, string> = { stripe: 'Stripe', paypal: 'PayPal' };

/** What the result page says about an order; never more than the server knows. */
export function statusText(order: Pick<OrderView, 'status' | 'debitReturned'> & Written): StatusText {
  if (isReturned(order)) return debitReturned;
  return { ...texts[order.status](order), label: statusLabel(order) };
}

export function statusLabel(order: Pick<OrderView, 'status' | 'debitReturned'>): string {
  return isReturned(order) ? debitReturned.label : orderLabels[order.status];
}

type Writing = Omit<StatusText, 'label'>;
type Written = Pick<
  OrderView,
  'amount' | 'amountRefunded' | 'moneyTaken' | 'failureReason' | 'paymentMethod' | 'methodType'
>;
type Writer = (order: Written) => Writing;

/** Whether the bank returned the debit. The status, disputed or refunded, would mislead the buyer. */
export function isReturned(order: Pick<OrderView, 'status' | 'debitReturned'>): boolean {
  return order.debitReturned && (order.status === 'disputed' || order.status === 'refunded');
}

const debitReturned: StatusText = {
  tone: 'bad',
  label: 'Payment returned',
  title: 'Your bank returned the payment',
  text: 'It returned our debit, so the payment failed after all, and this order is not paid. If you still want our work, please contact us: we answer within 24 hours.',
  next: 'questions',
};

const confirming = { tone: 'waiting', title: 'Confirming your payment…' } as const;

const canceled: Record<MoneyTaken, Writing> = {
  none: {
    tone: 'bad',
    title: 'This order was canceled',
    text: 'Nothing was charged. You are welcome to place it again.',
    next: 'order-again',
  },
  held: {
    tone: 'bad',
    title: 'This order was canceled',
    text: 'We received a payment that differs from the order, and have not returned all of it. Please ask us about it: we answer within 24 hours.',
    next: 'questions',
  },
  returned: {
    tone: 'neutral',
    title: 'This order was canceled',
    text: 'We received a payment that differs from the order, and all of it went back to you. Banks take 5-10 days to show it.',
    next: 'order-again',
  },
};

const texts: Record<OrderStatus, Writer> = {
  pending: () => ({
    ...confirming,
    text: 'We’re waiting for confirmation from the payment provider. This page updates automatically, and you will get an e-mail too.',
    next: 'pay',
  }),
  processing: () => ({
    ...confirming,
    text: 'Your bank or PayPal is working on it: most payments take seconds, some several business days. You do not need to pay again. This page updates automatically, and you will get an e-mail too.',
    next: 'steps-once-paid',
  }),
  paid: () => ({
    tone: 'good',
    title: 'Payment Successful!',
    text: 'Thank you for your purchase. Your order is confirmed, and a receipt is on its way to you.',
    next: 'steps',
  }),
  failed: ({ failureReason, paymentMethod, methodType }) => ({
    tone: 'bad',
    title: 'The payment did not go through',
    // The provider's advice need not agree with ours.
    text: `${failureReason ? `${firstSentence(failureReason)} ` : ''}Nothing was charged. ${retryAdvice(paymentMethod, methodType)}`,
    next: 'pay-again',
  }),
  canceled: ({ moneyTaken }) => canceled[moneyTaken],
  partially_refunded: ({ amount, amountRefunded }) => ({
    tone: 'neutral',
    title: 'Part of your payment was refunded',
    text: `${formatMoney(amountRefunded)} of ${formatMoney(amount)} went back to you. Banks take 5-10 days to show it.`,
    next: 'steps',
  }),
  refunded: ({ amountRefunded, moneyTaken }) => ({
    tone: 'neutral',
    title: 'Your payment was refunded',
    text:
      moneyTaken === 'held' && amountRefunded === 0
        ? 'We are returning your payment. If it has not arrived after ten days, please contact us.'
        : `${amountRefunded > 0 ? formatMoney(amountRefunded) : 'Your payment'} went back to you. Banks take 5-10 days to show it.`,
    next: 'questions',
  }),
  disputed: ({ paymentMethod }) => ({
    tone: 'neutral',
    title: 'This payment is disputed',
    text: `${paymentMethod === 'paypal' ? 'PayPal' : 'Your bank'} has asked us about it. If that was not your intention, please contact us: we answer within 24 hours.`,
    next: 'questions',
  }),
  review: () => ({
    tone: 'waiting',
    title: 'We are checking your payment',
    text: 'Something about it differs from the order, so one of us is looking into it. You do not need to pay again: we will write to you within 24 hours.',
    next: 'steps-once-paid',
  }),
};

/** A provider's reason for staff: 'product_not_received' becomes 'product not received', sentences stay. */
export function codeInWords(code: string | null): string {
  if (!code) return 'not stated';
  return code.includes(' ') ? code : code.replaceAll('_', ' ').toLowerCase();
}

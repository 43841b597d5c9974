import type { Money } from './money.ts';
import { settlingPayment } from './order-money.ts';
import type { PaymentMethod } from './orders.ts';
import type { PaymentFacts } from './payment-facts.ts';

export interface OrderMethod {
  paymentMethod: PaymentMethod;
  /** Stripe's payment method type, if known and not a card. */
  methodType: string | null;
}

/** The method of the payment that settles the order, otherwise the one the buyer chose last. */
export function methodOf(
  order: Money & { paymentMethod: PaymentMethod; paymentIntentId: string | null },
  facts: PaymentFacts,
): OrderMethod {
  const paymentId = shownPaymentOf(order, facts);
  if (paymentId === null) return { paymentMethod: order.paymentMethod, methodType: null };
  return {
    paymentMethod: facts.captures[paymentId]?.provider ?? order.paymentMethod,
    methodType: methodTypeOfPayment(paymentId, facts),
  };
}

/** The payment that settles the order, otherwise its current one. */
export function shownPaymentOf(
  order: Money & { paymentIntentId: string | null },
  facts: PaymentFacts,
): string | null {
  return settlingPayment(order, facts) ?? order.paymentIntentId;
}

/** Stripe's type of one payment's method, if it is not a card. */
export function methodTypeOfPayment(paymentId: string, facts: PaymentFacts): string | null {
  const capture = facts.captures[paymentId];
  const attempt = facts.attempt?.paymentId === paymentId ? facts.attempt : null;
  // The event of a success does not name the type; the report of the same payment in processing does.
  const attemptNamesMethod = !capture || attempt?.status === 'processing';
  return capture?.methodType ?? (attemptNamesMethod ? attempt?.methodType : undefined) ?? null;
}

/** How a buyer whose payment failed can still pay. */
export function retryAdvice(method: PaymentMethod, type: string | null): string {
  if (method === 'paypal') return 'You can try again, also by card.';
  if (type !== null) return 'You can try again, also by card or PayPal.';
  return 'You can try again, with the same card, another one, or PayPal.';
}

/** How buyers and staff see a payment method. */
export function methodLabel(method: PaymentMethod, type: string | null): string {
  if (method === 'paypal') return 'PayPal';
  if (type === null) return 'Card';
  if (/_(debit|bank_account)$/.test(type)) return 'Bank debit';
  const words = type.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** How staff see it: 'Card (Stripe)', 'Bank debit (Stripe)' or 'PayPal'. */
export function methodAndProvider(method: PaymentMethod, type: string | null): string {
  const label = methodLabel(method, type);
  return method === 'stripe' ? `${label} (Stripe)` : label;
}

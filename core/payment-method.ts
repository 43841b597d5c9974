import type { Money } from './money.ts';
import { settlingPayment } from './order-money.ts';
import type { PaymentMethod } from './orders.ts';
import type { PaymentFacts } from './payment-facts.ts';

/** Stripe's type of the payment method, if the order was not paid by card, as far as it is known. */
export function methodTypeOf(
  { paymentIntentId, ...price }: Money & { paymentIntentId: string | null },
  facts: PaymentFacts,
): string | null {
  const paymentId = settlingPayment(price, facts) ?? paymentIntentId;
  const capture = facts.captures[paymentId ?? ''];
  const attempt = facts.attempt?.paymentId === paymentId ? facts.attempt : null;
  // The event of a success does not name the type; the report of the same payment in processing does.
  const isAttemptPaid = !capture || attempt?.status === 'processing';
  return capture?.methodType ?? (isAttemptPaid ? attempt?.methodType : undefined) ?? null;
}

/** How buyers and staff see a payment method. */
export function methodLabel(method: PaymentMethod, type: string | null): string {
  if (method === 'paypal') return 'PayPal';
  if (type === null) return 'Card';
  if (/_(debit|bank_account)$/.test(type)) return 'Bank debit';
  const words = type.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

import type { PaymentMethod } from '../core/orders.ts';
import type { Order } from '../db/orders.ts';

/** Whose payment this is, by the form of its id: also of a payment that took no money. */
export function providerOf(paymentId: string): PaymentMethod {
  return paymentId.startsWith('pi_') ? 'stripe' : 'paypal';
}

/** Who took this payment's money, and so can refund it. Facts stored by earlier releases do not say it. */
export function providerOfCapture(
  { facts, paymentMethod }: Pick<Order, 'facts' | 'paymentMethod'>,
  paymentId: string,
): PaymentMethod {
  return facts.captures[paymentId]?.provider ?? paymentMethod;
}

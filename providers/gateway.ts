import type { Money } from '../core/money.ts';
import type { PaymentMethod } from '../core/orders.ts';
import type { PaymentFact, PaymentFacts } from '../core/payment-facts.ts';

/** What a provider says of one payment: whose it is, and the facts. */
export interface PaymentReport {
  /** PaymentIntent id or PayPal order id. */
  paymentIntentId: string;
  /** What we wrote on the payment when we made it; another application's payment has other keys or none. */
  metadata: { app?: string; deployment?: string; orderId?: string };
  facts: PaymentFact[];
  /** Where the provider leaves the taking to us: whether the buyer may still act, or has, or all is over. */
  stage?: 'open' | 'approved' | 'closed';
}

/** An event as the provider keeps it, delivered to us or not. */
export interface ProviderEvent {
  eventId: string;
  type: string;
  /** JSON, as a webhook would have brought it. */
  payload: string;
}

/** A payment in the provider's own list that took money. */
export interface ListedPayment {
  paymentIntentId: string;
  metadata: PaymentReport['metadata'];
}

/** What the pipeline asks of a provider, whichever it is. Calls end within 10 s; a timeout means unknown, not failed. */
export interface PaymentGateway {
  /** What the provider knows of this payment now. `observedAt`: the database's time just before asking, ms. */
  report(paymentIntentId: string, observedAt: number): Promise<PaymentReport>;
  /**
   * The payment made for this order whose id we did not keep (the process died in between), if there is one. Asked
   * with the order's own idempotency key or by its metadata, so no second payment comes into being unnoticed.
   */
  findPaymentOf(order: { id: string } & Money): Promise<string | undefined>;
  /** Makes the payment impossible where the provider can, and reports what is true afterwards: it may be paid after all. */
  expire(paymentIntentId: string, observedAt: number): Promise<PaymentReport>;
  /** Gives a whole capture back; the same capture is refunded once, however often this is called. */
  refundCapture(captureId: string, money: Money): Promise<void>;
  /** Takes what the buyer has approved (`stage`), once; only of a provider that leaves this to us. */
  capture?(
    paymentIntentId: string,
    order: { id: string; facts: PaymentFacts },
    observedAt: number,
  ): Promise<PaymentReport>;
  /** The events since then that we act on, of a provider that keeps a list of them (Stripe: for 30 days). */
  eventsSince?(since: Date): AsyncIterable<ProviderEvent>;
  /** The payments made since then that took money, of a provider that keeps a list of them. */
  paymentsSince?(since: Date): AsyncIterable<ListedPayment>;
}

export type PaymentGateways = Partial<Record<PaymentMethod, PaymentGateway>>;

/** @throws Error for a payment method that this installation has no provider for */
export function gatewayOf(gateways: PaymentGateways, method: PaymentMethod): PaymentGateway {
  const gateway = gateways[method];
  if (!gateway) throw new Error(`There is no gateway for orders paid by ${method}`);
  return gateway;
}

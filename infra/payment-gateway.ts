import type { Money } from '../core/money.ts';
import type { PaymentMethod } from '../core/orders.ts';
import type { PaymentFact } from '../core/payment-facts.ts';

/** What a provider says of one payment: whose it is, and the facts. */
export interface PaymentReport {
  /** PaymentIntent id or PayPal order id. */
  paymentIntentId: string;
  /** What we wrote on the payment when we made it; another application's payment has other keys or none. */
  metadata: { app?: string; deployment?: string; orderId?: string };
  facts: PaymentFact[];
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
}

export type PaymentGateways = Partial<Record<PaymentMethod, PaymentGateway>>;

/** @throws Error for a payment method that this installation has no provider for */
export function gatewayOf(gateways: PaymentGateways, method: PaymentMethod): PaymentGateway {
  const gateway = gateways[method];
  if (!gateway) throw new Error(`There is no gateway for orders paid by ${method}`);
  return gateway;
}

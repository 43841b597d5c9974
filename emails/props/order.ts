import type { PaymentMethod } from '../../core/orders.ts';

export interface SiteProps {
  siteUrl: string;
  opsCommand: string;
  /** The page of the desk that the e-mail is about; null without a desk. */
  deskUrl: string | null;
}

export interface OrderProps {
  orderId: string;
  serviceName: string;
  customerName: string;
  customerEmail: string;
  amount: number;
  currency: string;
  paymentMethod: PaymentMethod;
  /** Stripe's type of a payment method that is not a card. */
  methodType: string | null;
  orderUrl: string;
}

export interface OnOrder extends SiteProps, OrderProps {}

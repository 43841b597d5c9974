import type { PaymentMethod } from '../../core/orders.ts';

export interface SiteProps {
  /** The site's own address, for the wordmark and the contact link. */
  siteUrl: string;
  /** How operators' commands are called where the site is deployed. */
  opsCommand: string;
  /** The page of the desk that the e-mail is about; null without a desk. */
  deskUrl: string | null;
}

export interface OrderProps {
  orderId: string;
  serviceName: string;
  customerName: string;
  customerEmail: string;
  /** The order's amount. */
  amount: number;
  currency: string;
  paymentMethod: PaymentMethod;
  orderUrl: string;
}

export interface OnOrder extends SiteProps, OrderProps {}

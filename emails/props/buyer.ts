import type { PaymentMethod } from '../../core/orders.ts';
import type { OnOrder } from './order.ts';

export interface OrderConfirmationProps extends OnOrder {
  /** Less than `amount` only if staff accepted that. */
  paidAmount: number;
  paidAt: string;
  supportDays: number;
}

export interface OrderCanceledProps extends OnOrder {
  retryUrl: string;
}

export type PaymentProcessingProps = OnOrder;

export interface PaymentFailedProps extends OnOrder {
  failureReason: string | null;
  retryUrl: string;
}

export interface RefundNoticeProps extends OnOrder {
  paidAmount: number;
  refundAmount: number;
  /** All refunds of the order including this one. The refund is full when it reaches `paidAmount`. */
  totalRefunded: number;
  refundedAt: string;
}

export interface PaymentKeptProps extends OnOrder {
  /** Of the payment, which may differ from the price. */
  keptAmount: number;
}

export interface RefundFailedProps extends OnOrder {
  refundAmount: number;
}

export interface DisputeClosedProps extends OnOrder {
  /** Of the disputed payment. */
  provider: PaymentMethod;
  /** The buyer's bank returned the debit: no one decided. */
  isReturnedDebit: boolean;
  state: 'won' | 'lost';
  disputedAmount: number;
}

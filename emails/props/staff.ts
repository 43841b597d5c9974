import type { Concern } from '../../core/concerns.ts';
import type { refundNotMade } from '../../core/emails.ts';
import type { PaymentMethod } from '../../core/orders.ts';
import type { OnOrder, SiteProps } from './order.ts';

interface InDashboard {
  provider: PaymentMethod;
  dashboardUrl: string | null;
}

export interface OrderNoticeProps extends OnOrder, InDashboard {
  paidAt: string;
  /** PaymentIntent or PayPal order id: what to search for in the provider's dashboard. */
  providerPaymentId: string | null;
}

export interface PaymentEndFailedAlertProps extends OnOrder, InDashboard {
  providerPaymentId: string;
  failureReason: string | null;
  occurredAt: string;
}

export interface PaymentHeldAlertProps extends OnOrder, InDashboard {
  providerPaymentId: string;
  heldReason: string | null;
  occurredAt: string;
}

export interface DuplicatePaymentAlertProps extends OnOrder {
  firstPaymentId: string | null;
  secondPaymentMethod: PaymentMethod;
  secondPaymentId: string;
  secondAmount: number;
  secondCurrency: string;
  occurredAt: string;
}

export interface ReviewAlertProps extends OnOrder {
  /** What the provider reports; null where it does not. `amount` and `currency` are what we expected. */
  receivedAmount: number | null;
  receivedCurrency: string | null;
  receivedOrderId: string | null;
  provider: PaymentMethod;
  providerObjectId: string;
  /** Whether another payment pays the order, so that all of this one is to be refunded. */
  isExtra: boolean;
  occurredAt: string;
}

export interface FraudWarningAlertProps extends OnOrder, InDashboard {
  warning: 'early_fraud_warning' | 'review';
  providerPaymentId: string;
  warningReason: string | null;
  occurredAt: string;
}

export interface RefundFailedAlertProps extends OnOrder, InDashboard {
  providerPaymentId: string;
  /** Null if the refund was not made. */
  refundId: string | null;
  why: (typeof refundNotMade)[number];
  refundAmount: number;
  failureReason: string | null;
  occurredAt: string;
}

interface AboutDispute extends OnOrder, InDashboard {
  disputeId: string;
  disputedAmount: number;
  disputeReason: string | null;
}

export interface DisputeNoticeProps extends AboutDispute {
  state: 'opened' | 'won' | 'lost';
  occurredAt: string;
  /** When evidence is due; only for an open dispute, null if the provider named no time. */
  evidenceDueAt: string | null;
  /** An inquiry: the provider has not taken the money back, and a full refund ends it. */
  isRefundable: boolean;
  /** It was closed because we refunded the payment. */
  byRefund: boolean;
  /** PayPal closed it and covered the payout itself. */
  byPayout: boolean;
  /** The buyer's bank returned the debit: no one decides, and no evidence can be submitted. */
  isReturnedDebit: boolean;
  /** The bank accepts no evidence. */
  isUncontestable: boolean;
}

export interface DoubleCreditAlertProps extends OnOrder, InDashboard {
  providerPaymentId: string;
  takenAmount: number;
  /** By refunds and lost disputes: more than was taken. */
  returnedAmount: number;
  occurredAt: string;
}

export interface DisputeReminderProps extends AboutDispute {
  evidenceDueAt: string;
}

export interface PayoutFailedAlertProps extends SiteProps, InDashboard {
  payoutId: string;
  payoutAmount: number;
  payoutCurrency: string;
  failureReason: string | null;
  occurredAt: string;
}

export interface JobDeadAlertProps extends SiteProps {
  jobId: string;
  job: string;
  lastError: string;
  event: string | null;
  orderId: string | null;
  occurredAt: string;
}

export interface StaffReminderProps extends SiteProps {
  concern: Concern;
}

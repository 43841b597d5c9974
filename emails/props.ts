import type { PaymentMethod } from '../core/orders.ts';

/** What every mail has. */
export interface SiteProps {
  /** The site's own address, for the wordmark and the contact link. */
  siteUrl: string;
  /** How operators' commands are called where the site is deployed. */
  opsCommand: string;
}

/** What mails about an order have in common. Amounts are integer cents, dates ISO 8601, addresses absolute. */
export interface OrderProps {
  orderId: string;
  serviceName: string;
  customerName: string;
  customerEmail: string;
  /** The order's amount. */
  amount: number;
  currency: string;
  paymentMethod: PaymentMethod;
  /** The order's own page: /success?orderId=… */
  orderUrl: string;
}

export interface OrderConfirmationProps extends SiteProps, OrderProps {
  paidAt: string;
  /** Days of follow-up support that come with the service. */
  supportDays: number;
}

export interface OrderNoticeProps extends SiteProps, OrderProps {
  paidAt: string;
  /** PaymentIntent or capture id: what to search for in the provider's dashboard. */
  providerPaymentId: string | null;
}

export interface PaymentFailedProps extends SiteProps, OrderProps {
  /** The provider's message or code; null if it gave none. */
  failureReason: string | null;
  /** Where the buyer can pay after all. */
  retryUrl: string;
}

export interface RefundNoticeProps extends SiteProps, OrderProps {
  /** This refund, in cents. */
  refundAmount: number;
  /** All refunds of the order including this one, in cents. The refund is full when it reaches `amount`. */
  totalRefunded: number;
  refundedAt: string;
}

export interface DisputeNoticeProps extends SiteProps, OrderProps {
  state: 'opened' | 'won' | 'lost';
  disputeId: string;
  disputedAmount: number;
  /** The provider's word, e.g. 'fraudulent'; null if it gave none. */
  disputeReason: string | null;
  occurredAt: string;
  /** Last day to hand in evidence; only for an open dispute, null if the provider named none. */
  evidenceDueAt: string | null;
}

export interface ReviewAlertProps extends SiteProps, OrderProps {
  /** What the provider says it received; null where it did not say. `amount` and `currency` are what we expected. */
  receivedAmount: number | null;
  receivedCurrency: string | null;
  /** The order id in the provider's object; null if it carries none. */
  receivedOrderId: string | null;
  /** PaymentIntent or capture id. */
  providerObjectId: string;
  occurredAt: string;
}

export interface DuplicatePaymentAlertProps extends SiteProps, OrderProps {
  /** The payment that made the order paid. */
  firstPaymentId: string | null;
  /** The payment that came besides it. */
  secondPaymentMethod: PaymentMethod;
  secondPaymentId: string;
  secondAmount: number;
  secondCurrency: string;
  occurredAt: string;
}

export interface ContactNoticeProps extends SiteProps {
  messageId: string;
  name: string;
  email: string;
  /** The visitor's words, shown verbatim. */
  message: string;
  receivedAt: string;
}

/** Deliberately without the message: anybody can type a stranger's address, and we do not carry words to strangers. */
export interface ContactAcknowledgementProps extends SiteProps {
  name: string;
  receivedAt: string;
}

export interface NewsletterConfirmationProps extends SiteProps {
  confirmUrl: string;
  /** Hours for which the link works. */
  validHours: number;
}

export interface NewsletterWelcomeProps extends SiteProps {
  unsubscribeUrl: string;
}

export interface EnrollmentNoticeProps extends SiteProps {
  userId: string;
  /** The account's e-mail and name; null where the identity provider gave none. */
  email: string | null;
  personName: string | null;
  companyName: string;
  role: string;
  phone: string;
  primaryUseCase: string;
  teamSize: string;
  complianceNeeds: string | null;
  completedAt: string;
}

/** What the template of each kind shows. */
export interface EmailProps {
  order_confirmation: OrderConfirmationProps;
  order_notice: OrderNoticeProps;
  payment_failed: PaymentFailedProps;
  refund_notice: RefundNoticeProps;
  dispute_notice: DisputeNoticeProps;
  review_alert: ReviewAlertProps;
  duplicate_payment_alert: DuplicatePaymentAlertProps;
  contact_notice: ContactNoticeProps;
  contact_acknowledgement: ContactAcknowledgementProps;
  newsletter_confirmation: NewsletterConfirmationProps;
  newsletter_welcome: NewsletterWelcomeProps;
  enrollment_notice: EnrollmentNoticeProps;
}

import type { EmailKind } from '../../core/emails.ts';
import type * as Buyer from './buyer.ts';
import type * as Staff from './staff.ts';
import type * as Visitor from './visitor.ts';

/** What the template of each kind shows. Amounts are integer cents, dates ISO 8601, addresses absolute. */
export interface EmailProps extends Record<EmailKind, object> {
  order_confirmation: Buyer.OrderConfirmationProps;
  order_notice: Staff.OrderNoticeProps;
  order_canceled: Buyer.OrderCanceledProps;
  payment_processing: Buyer.PaymentProcessingProps;
  payment_failed: Buyer.PaymentFailedProps;
  payment_end_failed_alert: Staff.PaymentEndFailedAlertProps;
  payment_held_alert: Staff.PaymentHeldAlertProps;
  duplicate_payment_alert: Staff.DuplicatePaymentAlertProps;
  review_alert: Staff.ReviewAlertProps;
  fraud_warning_alert: Staff.FraudWarningAlertProps;
  refund_notice: Buyer.RefundNoticeProps;
  payment_kept: Buyer.PaymentKeptProps;
  refund_failed: Buyer.RefundFailedProps;
  refund_failed_alert: Staff.RefundFailedAlertProps;
  dispute_notice: Staff.DisputeNoticeProps;
  dispute_reminder: Staff.DisputeReminderProps;
  dispute_closed: Buyer.DisputeClosedProps;
  double_credit_alert: Staff.DoubleCreditAlertProps;
  payout_failed_alert: Staff.PayoutFailedAlertProps;
  job_dead_alert: Staff.JobDeadAlertProps;
  staff_reminder: Staff.StaffReminderProps;
  contact_notice: Visitor.ContactNoticeProps;
  contact_acknowledgement: Visitor.ContactAcknowledgementProps;
  newsletter_confirmation: Visitor.NewsletterConfirmationProps;
  newsletter_welcome: Visitor.NewsletterWelcomeProps;
  enrollment_notice: Visitor.EnrollmentNoticeProps;
}

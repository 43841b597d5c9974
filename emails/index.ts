import type { EmailKind } from '../core/emails.ts';
import type { EmailProps } from './props/email-props.ts';
import { type EmailContent, renderTemplate } from './render.ts';
import type { Template } from './template.ts';
import { contactAcknowledgement } from './templates/contact-acknowledgement.tsx';
import { contactNotice } from './templates/contact-notice.tsx';
import { disputeClosed } from './templates/dispute-closed.tsx';
import { disputeNotice } from './templates/dispute-notice.tsx';
import { disputeReminder } from './templates/dispute-reminder.tsx';
import { doubleCreditAlert } from './templates/double-credit-alert.tsx';
import { duplicatePaymentAlert } from './templates/duplicate-payment-alert.tsx';
import { enrollmentNotice } from './templates/enrollment-notice.tsx';
import { fraudWarningAlert } from './templates/fraud-warning-alert.tsx';
import { jobDeadAlert } from './templates/job-dead-alert.tsx';
import { newsletterConfirmation } from './templates/newsletter-confirmation.tsx';
import { newsletterWelcome } from './templates/newsletter-welcome.tsx';
import { orderCanceled } from './templates/order-canceled.tsx';
import { orderConfirmation } from './templates/order-confirmation.tsx';
import { orderNotice } from './templates/order-notice.tsx';
import { paymentEndFailedAlert } from './templates/payment-end-failed-alert.tsx';
import { paymentFailed } from './templates/payment-failed.tsx';
import { paymentHeldAlert } from './templates/payment-held-alert.tsx';
import { paymentKept } from './templates/payment-kept.tsx';
import { paymentProcessing } from './templates/payment-processing.tsx';
import { payoutFailedAlert } from './templates/payout-failed-alert.tsx';
import { refundFailed } from './templates/refund-failed.tsx';
import { refundFailedAlert } from './templates/refund-failed-alert.tsx';
import { refundNotice } from './templates/refund-notice.tsx';
import { reviewAlert } from './templates/review-alert.tsx';
import { staffReminder } from './templates/staff-reminder.tsx';

export type * from './props/email-props.ts';
export type { EmailContent } from './render.ts';

const templates: { [K in EmailKind]: Template<EmailProps[K]> } = {
  order_confirmation: orderConfirmation,
  order_notice: orderNotice,
  order_canceled: orderCanceled,
  payment_processing: paymentProcessing,
  payment_failed: paymentFailed,
  payment_end_failed_alert: paymentEndFailedAlert,
  payment_held_alert: paymentHeldAlert,
  duplicate_payment_alert: duplicatePaymentAlert,
  review_alert: reviewAlert,
  fraud_warning_alert: fraudWarningAlert,
  refund_notice: refundNotice,
  payment_kept: paymentKept,
  refund_failed: refundFailed,
  refund_failed_alert: refundFailedAlert,
  dispute_notice: disputeNotice,
  dispute_reminder: disputeReminder,
  dispute_closed: disputeClosed,
  double_credit_alert: doubleCreditAlert,
  payout_failed_alert: payoutFailedAlert,
  job_dead_alert: jobDeadAlert,
  staff_reminder: staffReminder,
  contact_notice: contactNotice,
  contact_acknowledgement: contactAcknowledgement,
  newsletter_confirmation: newsletterConfirmation,
  newsletter_welcome: newsletterWelcome,
  enrollment_notice: enrollmentNotice,
};

/**
 * Renders one e-mail.
 * @throws TypeError for a link that is not absolute http(s), RangeError for a date that is none.
 */
export function renderEmail<K extends EmailKind>(kind: K, props: EmailProps[K]): EmailContent {
  return renderTemplate(templates[kind], props);
}

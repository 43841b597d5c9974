import type { EmailKind } from '../core/emails.ts';
import type { EmailProps } from './props.ts';
import { type EmailContent, renderTemplate } from './render.ts';
import type { Template } from './template.ts';
import { contactAcknowledgement } from './templates/contact-acknowledgement.tsx';
import { contactNotice } from './templates/contact-notice.tsx';
import { disputeNotice } from './templates/dispute-notice.tsx';
import { duplicatePaymentAlert } from './templates/duplicate-payment-alert.tsx';
import { enrollmentNotice } from './templates/enrollment-notice.tsx';
import { newsletterConfirmation } from './templates/newsletter-confirmation.tsx';
import { newsletterWelcome } from './templates/newsletter-welcome.tsx';
import { orderConfirmation } from './templates/order-confirmation.tsx';
import { orderNotice } from './templates/order-notice.tsx';
import { paymentFailed } from './templates/payment-failed.tsx';
import { refundNotice } from './templates/refund-notice.tsx';
import { reviewAlert } from './templates/review-alert.tsx';

export type * from './props.ts';
export type { EmailContent } from './render.ts';
export { sampleProps } from './samples.ts';

const templates: { [K in EmailKind]: Template<EmailProps[K]> } = {
  order_confirmation: orderConfirmation,
  order_notice: orderNotice,
  payment_failed: paymentFailed,
  refund_notice: refundNotice,
  dispute_notice: disputeNotice,
  review_alert: reviewAlert,
  duplicate_payment_alert: duplicatePaymentAlert,
  contact_notice: contactNotice,
  contact_acknowledgement: contactAcknowledgement,
  newsletter_confirmation: newsletterConfirmation,
  newsletter_welcome: newsletterWelcome,
  enrollment_notice: enrollmentNotice,
};

/**
 * Subject, HTML and text of one mail.
 * @throws TypeError for a link that is not absolute http(s), RangeError for a date that is none.
 */
export function renderEmail<K extends EmailKind>(kind: K, props: EmailProps[K]): Promise<EmailContent> {
  return renderTemplate(templates[kind], props);
}

/**
 * Every kind of mail and who gets it. `subject` says what its subject id is made of: (kind, subject id) is unique,
 * which is what makes each mail go out at most once (design §5).
 */
export const emailKinds = {
  order_confirmation: { to: 'buyer', subject: 'order id' },
  order_notice: { to: 'staff', subject: 'order id' },
  payment_failed: { to: 'buyer', subject: 'order id' },
  refund_notice: { to: 'buyer', subject: 'order id:total refunded in cents' },
  dispute_notice: { to: 'staff', subject: 'order id:dispute id:opened or closed' },
  review_alert: { to: 'staff', subject: 'order id:capture id' },
  duplicate_payment_alert: { to: 'staff', subject: 'order id:capture id' },
  contact_notice: { to: 'staff', subject: 'contact message id' },
  contact_acknowledgement: { to: 'visitor', subject: 'contact message id' },
  newsletter_confirmation: { to: 'visitor', subject: 'subscription id:number of the confirmation' },
  newsletter_welcome: { to: 'visitor', subject: 'subscription id:number of the confirmation' },
  enrollment_notice: { to: 'staff', subject: 'user id:time of the submission' },
} as const;

export type EmailKind = keyof typeof emailKinds;

import { type EmailKind, emailKinds, parseEmailParams } from '../core/emails.ts';
import type { Email } from '../db/emails.ts';
import type { Config } from '../infra/config.ts';
import type { OutgoingMail } from '../infra/mime-message.ts';
import type { Composer, Draft, EmailParts } from './compose/composer.ts';
import { composeContactAcknowledgement, composeContactNotice } from './compose/contact.ts';
import { deskLink } from './compose/desk-link.ts';
import { composeEnrollmentNotice } from './compose/enrollment.ts';
import { composeConfirmation, composeWelcome } from './compose/newsletter.ts';
import { composeJobDeadAlert, composePayoutFailedAlert, composeStaffReminder } from './compose/operations.ts';
import { composeOrder } from './compose/order.ts';
import { renderEmail } from './index.ts';
import type { EmailProps } from './props/email-props.ts';

export type Mail = Omit<OutgoingMail, 'messageId'>;

const composers: { [K in EmailKind]: Composer<K> } = {
  order_confirmation: composeOrder('order_confirmation'),
  order_notice: composeOrder('order_notice'),
  order_canceled: composeOrder('order_canceled'),
  payment_processing: composeOrder('payment_processing'),
  payment_failed: composeOrder('payment_failed'),
  payment_end_failed_alert: composeOrder('payment_end_failed_alert'),
  payment_held_alert: composeOrder('payment_held_alert'),
  duplicate_payment_alert: composeOrder('duplicate_payment_alert'),
  review_alert: composeOrder('review_alert'),
  fraud_warning_alert: composeOrder('fraud_warning_alert'),
  refund_notice: composeOrder('refund_notice'),
  payment_kept: composeOrder('payment_kept'),
  refund_failed: composeOrder('refund_failed'),
  refund_failed_alert: composeOrder('refund_failed_alert'),
  dispute_notice: composeOrder('dispute_notice'),
  dispute_reminder: composeOrder('dispute_reminder'),
  dispute_closed: composeOrder('dispute_closed'),
  double_credit_alert: composeOrder('double_credit_alert'),
  payout_failed_alert: composePayoutFailedAlert,
  job_dead_alert: composeJobDeadAlert,
  staff_reminder: composeStaffReminder,
  contact_notice: composeContactNotice,
  contact_acknowledgement: composeContactAcknowledgement,
  newsletter_confirmation: composeConfirmation,
  newsletter_welcome: composeWelcome,
  enrollment_notice: composeEnrollmentNotice,
};

/** Composes the e-mail from current data, with its recipient; undefined if it is no longer relevant. */
export async function composeEmail(parts: EmailParts, email: Email): Promise<Mail | undefined> {
  return (await prepareEmail(parts, email))?.();
}

/** Reads what the e-mail says, as {@link composeEmail} does. The result renders it, which takes a processor and no data. */
export function prepareEmail(parts: EmailParts, email: Email): Promise<(() => Mail) | undefined> {
  return prepare(parts, email, email.kind);
}

async function prepare<K extends EmailKind>(
  parts: EmailParts,
  email: Email,
  kind: K,
): Promise<(() => Mail) | undefined> {
  const params = parseEmailParams(kind, email.params);
  const draft = await composers[kind](parts, { ...email, kind, params });
  if (!draft) return undefined;
  const { config } = parts;
  const { props, replyTo, headers } = draft;
  const site = {
    siteUrl: config.publicUrl,
    opsCommand: opsCommand(config),
    deskUrl: deskLink(config, email),
  };
  return () => {
    const content = renderEmail(kind, { ...site, ...props } as unknown as EmailProps[K]);
    return { to: recipientOf(kind, draft, config), replyTo, headers, ...content };
  };
}

function recipientOf<K extends EmailKind>(kind: K, { address }: Draft<K>, config: Config): string {
  if (emailKinds[kind].to === 'staff') return config.mail.staff;
  if (!address) throw new Error(`E-mail ${kind}: no recipient`);
  return address;
}

/** How to run the operators' commands in this environment. */
function opsCommand({ production }: Config): string {
  return production ? 'node dist/ops/main.js' : 'npm run ops --';
}

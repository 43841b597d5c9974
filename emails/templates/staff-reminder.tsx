import { concernTitle } from '../../core/concern-titles.ts';
import type { Concern } from '../../core/concerns.ts';
import { Layout } from '../parts/layout.tsx';
import { DeskButton, STAFF_REASON } from '../parts/staff.tsx';
import { Command, Heading, Paragraph } from '../parts/text.tsx';
import { moment } from '../parts/words.ts';
import type { StaffReminderProps } from '../props/staff.ts';
import type { Template } from '../template.ts';

interface Reminder {
  meaning: string;
  action: string;
  command: string;
}

/** Shown at the desk, but resolved by command only. */
const byCommandOnly = new Set<Concern['topic']>(['orders_unconfirmed', 'webhooks_silent']);

export const staffReminder: Template<StaffReminderProps> = {
  subject: ({ concern }) => `Needs attention: ${lowerFirst(concernTitle(concern))}`,
  Mail: ({ siteUrl, opsCommand, deskUrl, concern }) => {
    const { meaning, action, command } = reminderOf(concern);
    return (
      <Layout
        siteUrl={siteUrl}
        preview={meaning}
        eyebrow="Needs attention"
        tone="error"
        title={concernTitle(concern)}
        reason={STAFF_REASON}
      >
        <Paragraph>{meaning}</Paragraph>
        <Heading>What to do</Heading>
        <Paragraph>{action}</Paragraph>
        {deskUrl === null || byCommandOnly.has(concern.topic) ? (
          <Command line={`${opsCommand} ${command}`} />
        ) : null}
        <DeskButton deskUrl={deskUrl} label="See it at the desk" />
      </Layout>
    );
  },
};

function reminderOf(concern: Concern): Reminder {
  switch (concern.topic) {
    case 'orders_unconfirmed':
      return {
        meaning:
          'The payments are settled, but the buyers have not received their confirmation. It is retried for a day.',
        action: 'Look at what the mail server answers, and whether its password has expired.',
        command: 'doctor',
      };
    case 'webhooks_silent':
      return {
        meaning:
          'The orders were settled by asking the provider, which takes longer and finds refunds and disputes late.',
        action:
          'Check whether the endpoint is registered and enabled, and what it answered to the last deliveries.',
        command: 'webhooks check',
      };
    case 'orders_in_review':
      return {
        meaning: `Amount, currency or order of a payment differs from ours. The oldest has waited since ${at(concern.since)}.`,
        action: 'Compare it with the provider’s dashboard, refund there or keep the payment, then decide.',
        command: 'order find --status review',
      };
    case 'payments_held':
      return {
        meaning: `The provider holds the money until we act. The oldest payment has waited since ${at(concern.since)}.`,
        action:
          'Accept it in the provider’s dashboard, or correct the account there. The order updates automatically.',
        command: 'order find --status held',
      };
    case 'evidence_due':
      return {
        meaning: `It is due on ${at(concern.dueAt)}. Without evidence the bank decides for the buyer.`,
        action: 'Submit it in the provider’s dashboard. The order updates automatically.',
        command: 'order find --status disputed',
      };
    case 'refunds_dead':
      return {
        meaning: `The buyers may still wait for their money. The oldest failed on ${at(concern.since)}.`,
        action:
          'Fix the cause and run them again. Or refund in the provider’s dashboard, then discard the job: if someone runs it again, it could refund a second time.',
        command: 'jobs failed',
      };
    case 'refunds_failed':
      return {
        meaning: `The money is back on our balance, and the buyers still wait for it. The oldest came back on ${at(concern.since)}.`,
        action: 'Agree on another way with the buyer, then dismiss the refund with a reason.',
        command: 'transfers failed',
      };
    case 'payouts_failed':
      return {
        meaning: `The money is still on our balance at the provider. The oldest failed on ${at(concern.since)}.`,
        action:
          'Correct the bank details in the provider’s dashboard, then dismiss the payout with a reason.',
        command: 'transfers failed',
      };
    case 'jobs_dead':
      return {
        meaning: `They are kept and not retried. The oldest failed on ${at(concern.since)}.`,
        action: 'Fix the cause and run them again, or discard them with a reason.',
        command: 'jobs failed',
      };
    case 'emails_refused':
      return {
        meaning: `The mail server permanently refused the recipient or us. The oldest was refused on ${at(concern.since)}.`,
        action: 'Reach the recipient another way and dismiss it, or fix our side and send it again.',
        command: 'emails failed',
      };
    case 'messages_unanswered':
      return {
        meaning: `We promise an answer within 24 hours. The oldest arrived on ${at(concern.since)}.`,
        action: 'Answer by mail, then mark the message as answered at the desk.',
        command: 'messages answered --before 1d',
      };
  }
}

function at(ms: number): string {
  return moment(new Date(ms).toISOString());
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

import { concernAdvice } from '../../core/concern-advice.ts';
import { concernTitle } from '../../core/concern-titles.ts';
import type { Concern } from '../../core/concerns.ts';
import { Layout } from '../parts/layout.tsx';
import { DeskButton, STAFF_REASON } from '../parts/staff.tsx';
import { Command, Heading, Paragraph } from '../parts/text.tsx';
import { moment } from '../parts/words.ts';
import type { StaffReminderProps } from '../props/staff.ts';
import type { Template } from '../template.ts';

/** Shown at the desk, but resolved by command only. */
const byCommandOnly = new Set<Concern['topic']>(['orders_unconfirmed', 'webhooks_silent']);

export const staffReminder: Template<StaffReminderProps> = {
  subject: ({ concern }) => `Needs attention: ${lowerFirst(concernTitle(concern))}`,
  Mail: ({ siteUrl, opsCommand, deskUrl, concern }) => {
    const meaning = meaningOf(concern);
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
        <Paragraph>{concernAdvice(concern)}</Paragraph>
        {deskUrl === null || byCommandOnly.has(concern.topic) ? (
          <Command line={`${opsCommand} ${commands[concern.topic]}`} />
        ) : null}
        <DeskButton deskUrl={deskUrl} label="See it at the desk" />
      </Layout>
    );
  },
};

function meaningOf(concern: Concern): string {
  switch (concern.topic) {
    case 'orders_unconfirmed':
      return 'The payments are settled, but the buyers have not received their confirmation.';
    case 'webhooks_silent':
      return 'Asking the provider takes longer than a webhook, and finds refunds and disputes late.';
    case 'orders_in_review':
    case 'payments_held':
      return `The oldest payment has waited since ${at(concern.since)}.`;
    case 'evidence_due':
      return `It is due on ${at(concern.dueAt)}. Without evidence the bank decides for the buyer.`;
    case 'refunds_dead':
      return `The buyers may still be waiting for their money. The oldest refund failed on ${at(concern.since)}.`;
    case 'refunds_failed':
      return `The oldest came back on ${at(concern.since)}.`;
    case 'payouts_failed':
      return `The oldest failed on ${at(concern.since)}.`;
    case 'jobs_dead':
      return `They are kept and not retried. The oldest failed on ${at(concern.since)}.`;
    case 'emails_refused':
      return `The mail server permanently refused the recipient or us. The oldest was refused on ${at(concern.since)}.`;
    case 'messages_unanswered':
      return `The oldest arrived on ${at(concern.since)}.`;
  }
}

const commands: Record<Concern['topic'], string> = {
  orders_unconfirmed: 'doctor',
  webhooks_silent: 'webhooks check',
  orders_in_review: 'order find --status review',
  payments_held: 'order find --status held',
  evidence_due: 'order find --status disputed',
  refunds_dead: 'jobs failed',
  refunds_failed: 'transfers failed',
  payouts_failed: 'transfers failed',
  jobs_dead: 'jobs failed',
  emails_refused: 'emails failed',
  messages_unanswered: 'messages answered --before 1d',
};

function at(ms: number): string {
  return moment(new Date(ms).toISOString());
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

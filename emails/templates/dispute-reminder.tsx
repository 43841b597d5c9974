import { formatMoney } from '../../core/money.ts';
import { brands } from '../../core/order-texts.ts';
import { disputeFacts } from '../parts/disputes.ts';
import { Layout } from '../parts/layout.tsx';
import { DashboardButton, OrderLinks, STAFF_REASON } from '../parts/staff.tsx';
import { Facts } from '../parts/tables.tsx';
import { Paragraph } from '../parts/text.tsx';
import { day, moment } from '../parts/words.ts';
import type { DisputeReminderProps } from '../props/staff.ts';
import type { Template } from '../template.ts';

/** To staff: the dispute is still open, and the time to submit evidence is running out. */
export const disputeReminder: Template<DisputeReminderProps> = {
  subject: (p) =>
    `Evidence due ${day(p.evidenceDueAt)}: dispute of ${formatMoney(p.disputedAmount, p.currency)}, ${p.customerName}`,
  Mail: (p) => (
    <Layout
      siteUrl={p.siteUrl}
      preview={`Without evidence by ${moment(p.evidenceDueAt)} the money goes back.`}
      eyebrow="Dispute reminder"
      tone="error"
      title={`Evidence is due on ${day(p.evidenceDueAt)}`}
      reason={STAFF_REASON}
    >
      <Paragraph>
        The dispute of {formatMoney(p.disputedAmount, p.currency)} by {p.customerName} is still open. Without
        evidence by {moment(p.evidenceDueAt)}, {brands[p.provider]} decides for the buyer. If you have
        submitted it already, there is nothing to do.
      </Paragraph>
      <DashboardButton {...p} />
      <Facts facts={[{ label: 'Evidence due', value: moment(p.evidenceDueAt) }, ...disputeFacts(p)]} />
      <OrderLinks {...p} />
    </Layout>
  ),
};

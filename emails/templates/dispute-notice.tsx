import { formatMoney } from '../../core/money.ts';
import { brands } from '../../core/order-texts.ts';
import { disputeFacts } from '../parts/disputes.ts';
import { Layout } from '../parts/layout.tsx';
import { DashboardButton, OrderLinks, STAFF_REASON } from '../parts/staff.tsx';
import { type Fact, Facts } from '../parts/tables.tsx';
import { Paragraph } from '../parts/text.tsx';
import type { Tone } from '../parts/tokens.ts';
import { day, moment } from '../parts/words.ts';
import type { DisputeNoticeProps } from '../props/staff.ts';
import type { Template } from '../template.ts';

const TONES: Record<DisputeNoticeProps['state'], Tone> = { opened: 'before', won: 'after', lost: 'error' };

export const disputeNotice: Template<DisputeNoticeProps> = {
  subject: (p) => {
    if (isReturned(p))
      return `Debit returned: ${p.serviceName}, ${formatMoney(p.disputedAmount, p.currency)}`;
    const what = `Dispute ${ending(p)}: ${p.serviceName}, ${formatMoney(p.disputedAmount, p.currency)}`;
    return isDue(p) ? `${what}, answer by ${day(p.evidenceDueAt)}` : what;
  },
  Mail: (p) => (
    <Layout
      siteUrl={p.siteUrl}
      preview={summary(p)}
      eyebrow={headline(p)}
      tone={isReturned(p) ? 'error' : TONES[p.state]}
      title={`${headline(p)}: ${formatMoney(p.disputedAmount, p.currency)}`}
      reason={STAFF_REASON}
    >
      <Paragraph>{summary(p)}</Paragraph>
      <DashboardButton {...p} />
      <Facts
        facts={[
          ...deadline(p),
          ...disputeFacts(p, p.state === 'lost' || isReturned(p) ? 'Returned' : 'Disputed'),
          when(p),
        ]}
      />
      <OrderLinks {...p} />
    </Layout>
  ),
};

/** A returned debit that Stripe closes in our favor takes no money: it is shown as a dispute that was won. */
function isReturned({ isReturnedDebit, state }: DisputeNoticeProps): boolean {
  return isReturnedDebit && state !== 'won';
}

function headline(p: DisputeNoticeProps): string {
  return isReturned(p) ? 'Debit returned' : `Dispute ${ending(p)}`;
}

function ending({ state, byRefund, byPayout }: DisputeNoticeProps): string {
  return byRefund || byPayout ? 'closed' : state;
}

function isDue(p: DisputeNoticeProps): p is DisputeNoticeProps & { evidenceDueAt: string } {
  return p.state === 'opened' && p.evidenceDueAt !== null;
}

function deadline(p: DisputeNoticeProps): Fact[] {
  if (p.state !== 'opened' || isReturned(p) || p.isUncontestable) return [];
  return [{ label: 'Evidence due', value: isDue(p) ? moment(p.evidenceDueAt) : 'see the dashboard' }];
}

function when(p: DisputeNoticeProps): Fact {
  const label = p.state === 'opened' ? 'Opened' : 'Closed';
  return { label: isReturned(p) ? 'Seen' : label, value: moment(p.occurredAt) };
}

function summary(p: DisputeNoticeProps): string {
  const disputed = formatMoney(p.disputedAmount, p.currency);
  const provider = brands[p.provider];
  if (isReturned(p))
    return `${p.customerName}’s bank returned the debit of ${disputed}, so the payment failed after all. This is final: ${provider} takes the money back, and there is no appeal. Agree with ${p.customerName} on another way to pay, or stop the work.`;
  if (p.byRefund) return `${provider} closed the dispute of ${disputed}, because the payment was refunded.`;
  if (p.byPayout)
    return `${provider} closed the dispute of ${disputed}, and may have paid ${p.customerName} itself. The payment stays with us.`;
  if (p.state === 'won') return `${provider} decided for us. ${disputed} stays with us.`;
  if (p.state === 'lost')
    return `${provider} decided for the buyer. ${disputed} went back to ${p.customerName}.`;
  if (p.isRefundable)
    return `${claim(p, disputed)} Answer in the ${provider} dashboard, or refund the payment in full, which ends the dispute.`;
  if (p.isUncontestable)
    return `${p.customerName} disputes ${disputed}. The bank accepts no evidence for this dispute, so the money goes back. Agree with ${p.customerName} on how to continue, or stop the work.`;
  return `${p.customerName} disputes ${disputed}. Submit evidence in the ${provider} dashboard; without it the money goes back.`;
}

/** What a refund can still end: an inquiry of the bank's at Stripe, a case of the buyer's at PayPal. */
function claim({ provider, customerName }: DisputeNoticeProps, disputed: string): string {
  if (provider === 'paypal') return `${customerName} disputes ${disputed}.`;
  return `${customerName}’s bank asks about the payment of ${disputed}.`;
}

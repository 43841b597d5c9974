import { formatMoney } from '../../core/money.ts';
import { Layout } from '../layout.tsx';
import { Button } from '../links.tsx';
import { Command, Note, Paragraph } from '../parts.tsx';
import type { DisputeNoticeProps } from '../props.ts';
import { STAFF_REASON, showOrder } from '../staff.ts';
import { Facts } from '../tables.tsx';
import type { Template } from '../template.ts';
import type { Tone } from '../tokens.ts';
import { day, moment, providerName } from '../words.ts';

const TONES: Record<DisputeNoticeProps['state'], Tone> = { opened: 'before', won: 'after', lost: 'error' };

/** Staff learn that a buyer disputes a payment, or how the dispute ended. */
export const disputeNotice: Template<DisputeNoticeProps> = {
  subject: (p) => {
    const what = `${p.serviceName}, ${formatMoney(p.disputedAmount, p.currency)}`;
    if (p.state !== 'opened') return `Dispute ${p.state}: ${what}`;
    return p.evidenceDueAt
      ? `Dispute opened: ${what}, answer by ${day(p.evidenceDueAt)}`
      : `Dispute opened: ${what}`;
  },
  Mail: (p) => {
    const disputed = formatMoney(p.disputedAmount, p.currency);
    return (
      <Layout
        siteUrl={p.siteUrl}
        preview={summary(p, disputed)}
        eyebrow={`Dispute ${p.state}`}
        tone={TONES[p.state]}
        title={`Dispute ${p.state}: ${disputed}`}
        reason={STAFF_REASON}
      >
        <Paragraph>{summary(p, disputed)}</Paragraph>
        <Facts
          facts={[
            { label: 'Client', value: p.customerName },
            { label: 'E-mail', value: p.customerEmail },
            { label: 'Service', value: p.serviceName },
            { label: 'Order amount', value: formatMoney(p.amount, p.currency) },
            { label: 'Disputed', value: disputed },
            { label: 'Reason', value: p.disputeReason?.replaceAll('_', ' ').toLowerCase() ?? 'not stated' },
            { label: p.state === 'opened' ? 'Opened' : 'Closed', value: moment(p.occurredAt) },
            ...(p.state === 'opened'
              ? [
                  {
                    label: 'Evidence due',
                    value: p.evidenceDueAt ? day(p.evidenceDueAt) : 'see the dashboard',
                  },
                ]
              : []),
            { label: 'Provider', value: providerName(p.paymentMethod) },
            { label: 'Dispute', value: p.disputeId, code: true },
            { label: 'Order', value: p.orderId, code: true },
          ]}
        />
        <Button href={p.orderUrl} label="Open the order page" />
        <Note>The order with its history, payment events and mails:</Note>
        <Command line={showOrder(p)} />
      </Layout>
    );
  },
};

function summary(p: DisputeNoticeProps, disputed: string): string {
  const provider = p.paymentMethod === 'paypal' ? 'PayPal' : 'Stripe';
  if (p.state === 'won') return `${provider} decided for us. ${disputed} stays with us.`;
  if (p.state === 'lost')
    return `${provider} decided for the buyer. ${disputed} went back to ${p.customerName}.`;
  return `${p.customerName} disputes ${disputed}. Hand in evidence in the ${provider} dashboard; without it the money goes back.`;
}

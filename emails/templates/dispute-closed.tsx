import { formatMoney } from '../../core/money.ts';
import { Layout } from '../parts/layout.tsx';
import { Button } from '../parts/links.tsx';
import { Facts } from '../parts/tables.tsx';
import { Note, Paragraph } from '../parts/text.tsx';
import { greeting } from '../parts/words.ts';
import type { DisputeClosedProps } from '../props/buyer.ts';
import type { Template } from '../template.ts';

export const disputeClosed: Template<DisputeClosedProps> = {
  subject: (p) =>
    p.state === 'lost'
      ? `Your dispute is closed: ${money(p)} goes back to you`
      : 'Your dispute is closed: the payment stands',
  Mail: (p) => (
    <Layout
      siteUrl={p.siteUrl}
      preview={outcome(p)}
      eyebrow="Dispute closed"
      tone="accent"
      title={p.state === 'lost' ? `${money(p)} goes back to you` : 'The payment stands'}
      reason="You receive this because you disputed a payment for a Querywright service."
    >
      <Paragraph>{greeting(p.customerName)}</Paragraph>
      <Paragraph>{outcome(p)}</Paragraph>
      <Facts
        facts={[
          { label: 'Service', value: p.serviceName },
          { label: p.state === 'lost' ? 'Returned' : 'Disputed', value: money(p) },
          { label: 'Order', value: p.orderId, code: true },
        ]}
      />
      <Button href={p.orderUrl} label="View your order" />
      <Note>If something about our work is not right, please contact us. We would like to put it right.</Note>
    </Layout>
  ),
};

function money({ disputedAmount, currency }: DisputeClosedProps): string {
  return formatMoney(disputedAmount, currency);
}

function outcome(p: DisputeClosedProps): string {
  const provider = p.paymentMethod === 'paypal' ? 'PayPal' : 'Your bank';
  if (p.state === 'lost') {
    return `${provider} closed your dispute in your favor and returns ${money(p)} to you. When it arrives depends on ${p.paymentMethod === 'paypal' ? 'PayPal' : 'your bank'}.`;
  }
  return `${provider} closed your dispute of ${money(p)} without a refund. Your order stays as it was.`;
}

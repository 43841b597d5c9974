import { formatMoney } from '../../core/money.ts';
import { Layout } from '../parts/layout.tsx';
import { Button } from '../parts/links.tsx';
import { Facts } from '../parts/tables.tsx';
import { Note, Paragraph } from '../parts/text.tsx';
import { greeting } from '../parts/words.ts';
import type { DisputeClosedProps } from '../props/buyer.ts';
import type { Template } from '../template.ts';

export const disputeClosed: Template<DisputeClosedProps> = {
  subject: (p) => {
    if (isReturned(p)) return `Your bank returned the payment of ${money(p)}`;
    return p.state === 'lost'
      ? `Your dispute is closed: ${money(p)} goes back to you`
      : 'Your dispute is closed: the payment stands';
  },
  Mail: (p) => (isReturned(p) ? <Returned {...p} /> : <Closed {...p} />),
};

function isReturned({ state, isReturnedDebit }: DisputeClosedProps): boolean {
  return isReturnedDebit && state === 'lost';
}

/** No one decided: the debit bounced, or the account's holder had it returned. */
function Returned(p: DisputeClosedProps) {
  const preview = `Your bank returned our debit of ${money(p)}, so the payment failed after all.`;
  return (
    <Layout
      siteUrl={p.siteUrl}
      preview={preview}
      eyebrow="Payment returned"
      tone="error"
      title="Your bank returned the payment"
      reason="You receive this because you paid for a Querywright service by bank debit."
    >
      <Paragraph>{greeting(p.customerName)}</Paragraph>
      <Paragraph>{preview} We will not debit your account again.</Paragraph>
      <Facts
        facts={[
          { label: 'Service', value: p.serviceName },
          { label: 'Amount', value: money(p) },
          { label: 'Order', value: p.orderId, code: true },
        ]}
      />
      <Button href={p.orderUrl} label="View your order" />
      <Note>
        Your bank knows why it returned the debit. If you still want our work, please contact us, and we will
        agree on another way to pay.
      </Note>
    </Layout>
  );
}

function Closed(p: DisputeClosedProps) {
  return (
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
  );
}

function money({ disputedAmount, currency }: DisputeClosedProps): string {
  return formatMoney(disputedAmount, currency);
}

function outcome(p: DisputeClosedProps): string {
  const provider = p.provider === 'paypal' ? 'PayPal' : 'Your bank';
  if (p.state === 'lost') {
    return `${provider} closed your dispute in your favor and returns ${money(p)} to you. When it arrives depends on ${p.provider === 'paypal' ? 'PayPal' : 'your bank'}.`;
  }
  return `${provider} closed your dispute of ${money(p)} without a refund. Your order stays as it was.`;
}

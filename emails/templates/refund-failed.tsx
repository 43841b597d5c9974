import { formatMoney } from '../../core/money.ts';
import { Layout } from '../parts/layout.tsx';
import { Button } from '../parts/links.tsx';
import { Facts } from '../parts/tables.tsx';
import { Note, Paragraph } from '../parts/text.tsx';
import { greeting } from '../parts/words.ts';
import type { RefundFailedProps } from '../props/buyer.ts';
import type { Template } from '../template.ts';

export const refundFailed: Template<RefundFailedProps> = {
  subject: (p) => `Your refund of ${formatMoney(p.refundAmount, p.currency)} did not go through`,
  Mail: (p) => (
    <Layout
      siteUrl={p.siteUrl}
      preview="We will contact you within 24 hours to send it another way."
      eyebrow="Refund failed"
      tone="before"
      title="Your refund did not go through"
      reason="You receive this because you bought a service from Querywright."
    >
      <Paragraph>{greeting(p.customerName)}</Paragraph>
      <Paragraph>
        We sent you a refund of <strong>{formatMoney(p.refundAmount, p.currency)}</strong>, but it came back
        to us. This happens, for example, when the card or account has been closed in the meantime.
      </Paragraph>
      <Paragraph>
        You do not need to do anything: we will contact you within 24 hours to agree on another way to send
        you the money.
      </Paragraph>
      <Facts
        facts={[
          { label: 'Service', value: p.serviceName },
          { label: 'Refund', value: formatMoney(p.refundAmount, p.currency) },
          { label: 'Order', value: p.orderId, code: true },
        ]}
      />
      <Button href={p.orderUrl} label="View your order" />
      <Note>We never ask for card numbers or passwords by e-mail.</Note>
    </Layout>
  ),
};

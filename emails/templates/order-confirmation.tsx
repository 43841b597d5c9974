import { formatMoney } from '../../core/money.ts';
import { methodLabel } from '../../core/payment-method.ts';
import { Layout } from '../parts/layout.tsx';
import { Button } from '../parts/links.tsx';
import { Facts, Ledger } from '../parts/tables.tsx';
import { Heading, Paragraph, Steps } from '../parts/text.tsx';
import { greeting, moment } from '../parts/words.ts';
import type { OrderConfirmationProps } from '../props/buyer.ts';
import type { Template } from '../template.ts';

export const orderConfirmation: Template<OrderConfirmationProps> = {
  subject: (p) => `Your ${p.serviceName} order: receipt for ${formatMoney(p.paidAmount, p.currency)}`,
  Mail: (p) => (
    <Layout
      siteUrl={p.siteUrl}
      preview={`${formatMoney(p.paidAmount, p.currency)} received. We reach out within 1-2 business days.`}
      eyebrow="Receipt"
      tone="after"
      title="Payment received. Thank you."
      reason="You receive this because you bought a service from Querywright. Please keep it as your receipt."
    >
      <Paragraph>{greeting(p.customerName)}</Paragraph>
      <Paragraph>
        We received your payment for <strong>{p.serviceName}</strong>. Here are your receipt and the next
        steps.
      </Paragraph>
      <Ledger
        currency={p.currency}
        lines={[
          { label: p.serviceName, amount: p.amount },
          { label: `Amount paid (${p.currency})`, amount: p.paidAmount },
        ]}
      />
      <Facts
        facts={[
          { label: 'Order', value: p.orderId, code: true },
          { label: 'Date', value: moment(p.paidAt) },
          { label: 'Payment method', value: methodLabel(p.paymentMethod, p.methodType) },
          { label: 'Billed to', value: p.customerName },
          { label: 'E-mail', value: p.customerEmail },
          { label: 'Follow-up support', value: `${p.supportDays} days, included` },
        ]}
      />
      <Button href={p.orderUrl} label="View your order" />
      <Heading>What Happens Next?</Heading>
      <Steps
        steps={[
          { title: 'Confirmation', text: 'This e-mail confirms your order.' },
          {
            title: 'Consultation',
            text: 'Our team reaches out within 1-2 business days to schedule a consultation.',
          },
          { title: 'Project kickoff', text: 'We start the work, with regular updates along the way.' },
        ]}
      />
    </Layout>
  ),
};

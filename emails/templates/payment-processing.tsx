import { formatMoney } from '../../core/money.ts';
import { Layout } from '../layout.tsx';
import { Button } from '../links.tsx';
import { Note, Paragraph } from '../parts.tsx';
import type { PaymentProcessingProps } from '../props-buyer.ts';
import { Facts } from '../tables.tsx';
import type { Template } from '../template.ts';
import { greeting } from '../words.ts';

/** To the buyer: the payment takes days, and what happens until it is complete. */
export const paymentProcessing: Template<PaymentProcessingProps> = {
  subject: (p) => `Your payment for ${p.serviceName} is being processed`,
  Mail: (p) => (
    <Layout
      siteUrl={p.siteUrl}
      preview="Bank payments can take several business days. You need not pay again."
      eyebrow="Payment processing"
      tone="before"
      title="Your payment is being processed"
      reason="You receive this because you ordered a service from Querywright."
    >
      <Paragraph>{greeting(p.customerName)}</Paragraph>
      <Paragraph>
        Thank you for your order of <strong>{p.serviceName}</strong>. Your bank is processing the payment of{' '}
        {formatMoney(p.amount, p.currency)}, which can take several business days. Please do not pay again.
      </Paragraph>
      <Facts
        facts={[
          { label: 'Service', value: p.serviceName },
          { label: 'Amount', value: formatMoney(p.amount, p.currency) },
          { label: 'Order', value: p.orderId, code: true },
        ]}
      />
      <Paragraph>
        We e-mail you a receipt when the payment is complete. If it fails, we e-mail you too, and you can pay
        another way.
      </Paragraph>
      <Button href={p.orderUrl} label="View your order" />
      <Note>
        If your bank or the payment provider asks you to confirm the payment, it waits until you do.
      </Note>
    </Layout>
  ),
};

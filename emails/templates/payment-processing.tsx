import { formatMoney } from '../../core/money.ts';
import { Layout } from '../parts/layout.tsx';
import { Button } from '../parts/links.tsx';
import { orderFacts } from '../parts/order-facts.ts';
import { Facts } from '../parts/tables.tsx';
import { Note, Paragraph } from '../parts/text.tsx';
import { greeting } from '../parts/words.ts';
import type { PaymentProcessingProps } from '../props/buyer.ts';
import type { Template } from '../template.ts';

/** To the buyer of a payment method that takes days. */
export const paymentProcessing: Template<PaymentProcessingProps> = {
  subject: (p) => `Your payment for ${p.serviceName} is being processed`,
  Mail: (p) => (
    <Layout
      siteUrl={p.siteUrl}
      preview="Bank payments can take several business days. You do not need to pay again."
      eyebrow="Payment processing"
      tone="before"
      title="Your payment is being processed"
      reason="You receive this because you ordered a service from Querywright."
    >
      <Paragraph>{greeting(p.customerName)}</Paragraph>
      <Paragraph>
        Thank you for your order for <strong>{p.serviceName}</strong>. Your bank is processing the payment of{' '}
        {formatMoney(p.amount, p.currency)}, which can take several business days. Please do not pay again.
      </Paragraph>
      <Facts facts={orderFacts(p)} />
      <Paragraph>
        You will get a receipt when the payment is complete. If it fails, we will write to you, and you can
        pay another way.
      </Paragraph>
      <Button href={p.orderUrl} label="View your order" />
      <Note>
        If your bank or the payment provider asks you to confirm it, the payment will not complete until you
        do.
      </Note>
    </Layout>
  ),
};

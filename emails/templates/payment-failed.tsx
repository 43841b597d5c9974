import { formatMoney } from '../../core/money.ts';
import { methodLabel, retryAdvice } from '../../core/payment-method.ts';
import { Layout } from '../parts/layout.tsx';
import { Button } from '../parts/links.tsx';
import { Facts } from '../parts/tables.tsx';
import { Note, Paragraph } from '../parts/text.tsx';
import { greeting, plainReason } from '../parts/words.ts';
import type { PaymentFailedProps } from '../props/buyer.ts';
import type { Template } from '../template.ts';

export const paymentFailed: Template<PaymentFailedProps> = {
  subject: (p) => `Your payment for ${p.serviceName} did not go through`,
  Mail: (p) => (
    <Layout
      siteUrl={p.siteUrl}
      preview={`Nothing was charged. ${retryAdvice(p.paymentMethod, p.methodType)}`}
      eyebrow="Payment failed"
      tone="error"
      title="Your payment did not go through"
      reason="You receive this because someone tried to pay for a Querywright service with this e-mail address."
    >
      <Paragraph>{greeting(p.customerName)}</Paragraph>
      <Paragraph>
        The payment of {formatMoney(p.amount, p.currency)} for <strong>{p.serviceName}</strong> failed, and
        nothing was charged.
      </Paragraph>
      <Facts
        facts={[
          { label: 'Reason', value: plainReason(p.failureReason) },
          { label: 'Payment method', value: methodLabel(p.paymentMethod, p.methodType) },
          { label: 'Order', value: p.orderId, code: true },
        ]}
      />
      <Paragraph>{retryAdvice(p.paymentMethod, p.methodType)} The price stays the same.</Paragraph>
      <Button href={p.retryUrl} label="Try again" />
      <Note>
        If your bank shows a pending amount, it is a hold that the bank releases by itself. If the payment
        keeps failing, contact us and we will find another way.
      </Note>
    </Layout>
  ),
};

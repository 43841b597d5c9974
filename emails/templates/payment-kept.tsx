import { formatMoney } from '../../core/money.ts';
import { Layout } from '../parts/layout.tsx';
import { Button } from '../parts/links.tsx';
import { orderFacts } from '../parts/order-facts.ts';
import { Facts } from '../parts/tables.tsx';
import { Note, Paragraph } from '../parts/text.tsx';
import { greeting } from '../parts/words.ts';
import type { PaymentKeptProps } from '../props/buyer.ts';
import type { Template } from '../template.ts';

/** To the buyer of an order that was paid twice, who may have received a refund notice for it. */
export const paymentKept: Template<PaymentKeptProps> = {
  subject: (p) => `Your ${p.serviceName} order goes ahead`,
  Mail: (p) => (
    <Layout
      siteUrl={p.siteUrl}
      preview="Your second payment pays for it. This is not a new charge."
      eyebrow="Order update"
      tone="accent"
      title="Your order goes ahead"
      reason="You receive this because you bought a service from Querywright."
    >
      <Paragraph>{greeting(p.customerName)}</Paragraph>
      <Paragraph>
        We received two payments for your order for <strong>{p.serviceName}</strong>. One of them went back to
        you. The other one, of {formatMoney(p.keptAmount, p.currency)}, now pays for the order.
      </Paragraph>
      <Paragraph>This is not a new charge, and you do not need to do anything.</Paragraph>
      <Facts facts={orderFacts(p)} />
      <Button href={p.orderUrl} label="View your order" />
      <Note>If you did not expect this message, please contact us, and we will look into it.</Note>
    </Layout>
  ),
};

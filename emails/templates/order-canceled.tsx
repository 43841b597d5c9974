import { formatMoney } from '../../core/money.ts';
import { Layout } from '../parts/layout.tsx';
import { Button } from '../parts/links.tsx';
import { Facts } from '../parts/tables.tsx';
import { Note, Paragraph } from '../parts/text.tsx';
import { greeting } from '../parts/words.ts';
import type { OrderCanceledProps } from '../props/buyer.ts';
import type { Template } from '../template.ts';

export const orderCanceled: Template<OrderCanceledProps> = {
  subject: (p) => `Your ${p.serviceName} order was canceled`,
  Mail: (p) => (
    <Layout
      siteUrl={p.siteUrl}
      preview="You owe nothing. You can order again at any time."
      eyebrow="Order canceled"
      tone="before"
      title="Your order was canceled"
      reason="You receive this because you ordered a service from Querywright."
    >
      <Paragraph>{greeting(p.customerName)}</Paragraph>
      <Paragraph>
        Your order for <strong>{p.serviceName}</strong> was canceled. You owe nothing, and you can order again
        at any time.
      </Paragraph>
      <Facts
        facts={[
          { label: 'Service', value: p.serviceName },
          { label: 'Price', value: formatMoney(p.amount, p.currency) },
          { label: 'Order', value: p.orderId, code: true },
        ]}
      />
      <Button href={p.retryUrl} label="Order again" />
      <Note>
        If you have paid something for this order, or did not expect this message, please contact us, and we
        will look into it at once.
      </Note>
    </Layout>
  ),
};

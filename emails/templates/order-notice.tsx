import { formatMoney } from '../../core/money.ts';
import { methodAndProvider } from '../../core/payment-method.ts';
import { Layout } from '../parts/layout.tsx';
import { DashboardButton, OrderLinks, STAFF_REASON } from '../parts/staff.tsx';
import { Facts } from '../parts/tables.tsx';
import { Paragraph } from '../parts/text.tsx';
import { moment } from '../parts/words.ts';
import type { OrderNoticeProps } from '../props/staff.ts';
import type { Template } from '../template.ts';

export const orderNotice: Template<OrderNoticeProps> = {
  subject: (p) => `New order: ${p.serviceName}, ${formatMoney(p.amount, p.currency)}, ${p.customerName}`,
  Mail: (p) => (
    <Layout
      siteUrl={p.siteUrl}
      preview={`${p.customerName} paid by ${methodAndProvider(p.paymentMethod, p.methodType)}. Reach out within 1-2 business days.`}
      eyebrow="New order"
      tone="after"
      title={`${p.serviceName}, ${formatMoney(p.amount, p.currency)}`}
      reason={STAFF_REASON}
    >
      <Paragraph>
        {p.customerName} bought <strong>{p.serviceName}</strong>. The payment is complete. We promised to
        reach out within 1-2 business days to schedule a consultation: a reply to this e-mail goes to them.
      </Paragraph>
      <Facts
        facts={[
          { label: 'Client', value: p.customerName },
          { label: 'E-mail', value: p.customerEmail },
          { label: 'Service', value: p.serviceName },
          { label: 'Amount', value: formatMoney(p.amount, p.currency) },
          { label: 'Paid', value: moment(p.paidAt) },
          { label: 'Payment method', value: methodAndProvider(p.paymentMethod, p.methodType) },
          { label: 'Payment', value: p.providerPaymentId ?? 'not known', code: true },
          { label: 'Order', value: p.orderId, code: true },
        ]}
      />
      <DashboardButton {...p} />
      <OrderLinks {...p} />
    </Layout>
  ),
};

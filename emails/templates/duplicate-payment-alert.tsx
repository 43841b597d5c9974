import { brands } from '../../core/order-texts.ts';
import { Layout } from '../parts/layout.tsx';
import { OrderLinks, STAFF_REASON } from '../parts/staff.tsx';
import { Facts } from '../parts/tables.tsx';
import { Note, Paragraph } from '../parts/text.tsx';
import { exactMoney, moment } from '../parts/words.ts';
import type { DuplicatePaymentAlertProps } from '../props/staff.ts';
import type { Template } from '../template.ts';

export const duplicatePaymentAlert: Template<DuplicatePaymentAlertProps> = {
  subject: (p) => `Paid twice: ${p.serviceName}, ${p.customerName}`,
  Mail: (p) => {
    const second = exactMoney(p.secondAmount, p.secondCurrency);
    return (
      <Layout
        siteUrl={p.siteUrl}
        preview={`A second payment of ${second} for a paid order. It is being refunded.`}
        eyebrow="Paid twice"
        tone="error"
        title="One order was paid twice"
        reason={STAFF_REASON}
      >
        <Paragraph>
          {p.customerName} paid for <strong>{p.serviceName}</strong> a second time. The order was already
          paid, so nothing about it changed. The second payment is refunded automatically, within minutes.
        </Paragraph>
        <Facts
          facts={[
            { label: 'First payment', value: p.firstPaymentId ?? 'not known', code: true },
            {
              label: 'First amount',
              value: `${exactMoney(p.amount, p.currency)}, ${brands[p.paymentMethod]}`,
            },
            { label: 'Second payment', value: p.secondPaymentId, code: true },
            { label: 'Second amount', value: `${second}, ${brands[p.secondPaymentMethod]}` },
            { label: 'Seen', value: moment(p.occurredAt) },
            { label: 'Client', value: p.customerName },
            { label: 'E-mail', value: p.customerEmail },
            { label: 'Order', value: p.orderId, code: true },
          ]}
        />
        <Note>Please do not refund it by hand as well. If the refund fails, you get another alert.</Note>
        <OrderLinks {...p} />
      </Layout>
    );
  },
};

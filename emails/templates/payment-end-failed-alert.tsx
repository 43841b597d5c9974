import { brands } from '../../core/order-texts.ts';
import { Layout } from '../parts/layout.tsx';
import { clientFacts, DashboardButton, OrderLinks, STAFF_REASON } from '../parts/staff.tsx';
import { Facts } from '../parts/tables.tsx';
import { Paragraph } from '../parts/text.tsx';
import { moment } from '../parts/words.ts';
import type { PaymentEndFailedAlertProps } from '../props/staff.ts';
import type { Template } from '../template.ts';

/** To staff: a payment that the client left for another one can still be paid. */
export const paymentEndFailedAlert: Template<PaymentEndFailedAlertProps> = {
  subject: (p) => `Former payment still open: ${p.serviceName}, ${p.customerName}`,
  Mail: (p) => (
    <Layout
      siteUrl={p.siteUrl}
      preview={`Cancel it in ${brands[p.provider]}, or the client could pay twice.`}
      eyebrow="Former payment"
      tone="before"
      title="A former payment could not be canceled"
      reason={STAFF_REASON}
    >
      <Paragraph>
        {p.customerName} turned to another payment, but this one is still open at {brands[p.provider]}. Please
        cancel it there. If it is paid after all, the order has been paid twice: you get another alert, and
        the second payment is refunded.
      </Paragraph>
      <DashboardButton {...p} />
      <Facts
        facts={[
          { label: 'Former payment', value: p.providerPaymentId, code: true },
          { label: 'Provider', value: brands[p.provider] },
          { label: 'Last error', value: p.failureReason ?? 'not stated' },
          { label: 'Seen', value: moment(p.occurredAt) },
          ...clientFacts(p),
        ]}
      />
      <OrderLinks {...p} />
    </Layout>
  ),
};

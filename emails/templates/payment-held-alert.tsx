import { formatMoney } from '../../core/money.ts';
import { brands } from '../../core/order-texts.ts';
import { Layout } from '../parts/layout.tsx';
import { PaymentDetails, STAFF_REASON } from '../parts/staff.tsx';
import { Paragraph } from '../parts/text.tsx';
import type { PaymentHeldAlertProps } from '../props/staff.ts';
import type { Template } from '../template.ts';

/** To staff: the provider holds a payment until we act. */
export const paymentHeldAlert: Template<PaymentHeldAlertProps> = {
  subject: (p) =>
    `Payment on hold: ${p.serviceName}, ${formatMoney(p.amount, p.currency)}, ${p.customerName}`,
  Mail: (p) => (
    <Layout
      siteUrl={p.siteUrl}
      preview={`${brands[p.provider]} is waiting for us. The order is not paid until we act.`}
      eyebrow="Payment on hold"
      tone="before"
      title="A payment is waiting for us"
      reason={STAFF_REASON}
    >
      <Paragraph>
        {p.customerName} has paid, but {brands[p.provider]} holds the money until we accept it, or until our
        account is in order. Please look into it in the dashboard: the order stays unpaid until then, and the
        money goes back to the client if nothing happens.
      </Paragraph>
      <PaymentDetails {...p} reason={p.heldReason} />
    </Layout>
  ),
};

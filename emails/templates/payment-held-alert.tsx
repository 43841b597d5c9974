import { formatMoney } from '../../core/money.ts';
import { brands } from '../../core/order-texts.ts';
import { Layout } from '../parts/layout.tsx';
import { DashboardButton, OrderLinks, orderFacts, STAFF_REASON } from '../parts/staff.tsx';
import { Facts } from '../parts/tables.tsx';
import { Paragraph } from '../parts/text.tsx';
import { codeInWords, moment, providerName } from '../parts/words.ts';
import type { PaymentHeldAlertProps } from '../props/staff.ts';
import type { Template } from '../template.ts';

/** To staff: the provider holds a payment until we act. */
export const paymentHeldAlert: Template<PaymentHeldAlertProps> = {
  subject: (p) =>
    `Payment on hold: ${p.serviceName}, ${formatMoney(p.amount, p.currency)}, ${p.customerName}`,
  Mail: (p) => (
    <Layout
      siteUrl={p.siteUrl}
      preview={`${brands[p.provider]} waits for us. The order is not paid until we act.`}
      eyebrow="Payment on hold"
      tone="before"
      title="A payment waits for us"
      reason={STAFF_REASON}
    >
      <Paragraph>
        {p.customerName} has paid, but {brands[p.provider]} holds the money until we accept it, or until our
        account is in order. Please look into it in the dashboard: the order stays unpaid until then, and the
        money goes back to the client if nothing happens.
      </Paragraph>
      <DashboardButton {...p} />
      <Facts
        facts={[
          { label: 'Amount', value: formatMoney(p.amount, p.currency) },
          { label: 'Reason', value: codeInWords(p.heldReason) },
          { label: 'Payment', value: p.providerPaymentId, code: true },
          { label: 'Provider', value: providerName(p.provider) },
          { label: 'Seen', value: moment(p.occurredAt) },
          ...orderFacts(p),
        ]}
      />
      <OrderLinks {...p} />
    </Layout>
  ),
};

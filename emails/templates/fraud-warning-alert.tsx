import { formatMoney } from '../../core/money.ts';
import { brands } from '../../core/order-texts.ts';
import { Layout } from '../parts/layout.tsx';
import { PaymentDetails, STAFF_REASON } from '../parts/staff.tsx';
import { Paragraph } from '../parts/text.tsx';
import type { FraudWarningAlertProps } from '../props/staff.ts';
import type { Template } from '../template.ts';

/** To staff: a payment may be fraudulent, before it becomes a dispute. */
export const fraudWarningAlert: Template<FraudWarningAlertProps> = {
  subject: (p) => `Possible fraud: ${p.serviceName}, ${formatMoney(p.amount, p.currency)}, ${p.customerName}`,
  Mail: (p) => (
    <Layout
      siteUrl={p.siteUrl}
      preview="Decide before you start the work: keep the payment, or refund it."
      eyebrow="Fraud warning"
      tone="before"
      title="This payment may be fraudulent"
      reason={STAFF_REASON}
    >
      <Paragraph>{advice(p)}</Paragraph>
      <PaymentDetails {...p} reason={p.warningReason} />
    </Layout>
  ),
};

function advice({ warning, provider, customerName }: FraudWarningAlertProps): string {
  if (warning === 'review') {
    return `${brands[provider]} asks us to review this payment. Approve or refund it in the dashboard before you start the work.`;
  }
  return `The card's issuer reports this payment as possibly fraudulent; many such payments become disputes. Call ${customerName} before you start the work. If you doubt the payment, refund it in full: a refund now avoids the dispute and its fee.`;
}

import { formatMoney } from '../../core/money.ts';
import { brands, codeInWords } from '../../core/order-texts.ts';
import { Layout } from '../parts/layout.tsx';
import { DashboardButton, OrderLinks, orderFacts, STAFF_REASON } from '../parts/staff.tsx';
import { Facts } from '../parts/tables.tsx';
import { Heading, Paragraph, type Step, Steps } from '../parts/text.tsx';
import { moment, providerName } from '../parts/words.ts';
import type { RefundFailedAlertProps } from '../props/staff.ts';
import type { Template } from '../template.ts';

export const refundFailedAlert: Template<RefundFailedAlertProps> = {
  subject: (p) =>
    `Refund ${p.refundId ? 'failed' : 'not made'}: ${formatMoney(p.refundAmount, p.currency)}, ${p.customerName}`,
  Mail: (p) => (
    <Layout
      siteUrl={p.siteUrl}
      preview={`${p.customerName} has not received ${formatMoney(p.refundAmount, p.currency)}. What to do now.`}
      eyebrow="Refund failed"
      tone="error"
      title={p.refundId ? 'A refund did not reach the buyer' : 'A refund could not be made'}
      reason={STAFF_REASON}
    >
      <Paragraph>{whatHappened(p)}</Paragraph>
      <DashboardButton {...p} />
      <Facts
        facts={[
          { label: 'Amount', value: formatMoney(p.refundAmount, p.currency) },
          { label: 'Reason', value: codeInWords(p.failureReason) },
          { label: 'Payment', value: p.providerPaymentId, code: true },
          { label: 'Refund', value: p.refundId ?? 'none', code: p.refundId !== null },
          { label: 'Provider', value: providerName(p.provider) },
          { label: 'Seen', value: moment(p.occurredAt) },
          ...orderFacts(p),
        ]}
      />
      <Heading>What to do</Heading>
      <Steps steps={p.refundId ? afterFailure(p) : toRefundByHand(p)} />
      <OrderLinks {...p} />
    </Layout>
  ),
};

function whatHappened({ refundId, provider }: RefundFailedAlertProps): string {
  if (refundId) {
    return `${brands[provider]} reports that the refund failed or was canceled. The money is back on our balance. The buyer got an e-mail that we will be in touch.`;
  }
  return `${brands[provider]} kept refusing the refund, so we stopped retrying. The money is still with us.`;
}

function afterFailure({ provider, customerName }: RefundFailedAlertProps): Step[] {
  return [
    {
      title: 'Read the reason',
      text: `${brands[provider]} shows it with the payment. Often the buyer's account or card is closed.`,
    },
    {
      title: `Write to ${customerName}`,
      text: 'Agree on another way, such as a bank transfer. Ask for bank details by phone rather than by e-mail.',
    },
    { title: 'Dismiss it', text: 'It stays on the list of what needs a person until then.' },
  ];
}

function toRefundByHand({ provider }: RefundFailedAlertProps): Step[] {
  return [
    {
      title: 'Check the payment',
      text: `Make sure that ${brands[provider]} does not show the refund already.`,
    },
    { title: 'Refund it there', text: 'The order follows by itself, and the buyer gets a notice.' },
  ];
}

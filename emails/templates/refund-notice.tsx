import { formatMoney } from '../../core/money.ts';
import { methodLabel } from '../../core/payment-method.ts';
import { Layout } from '../parts/layout.tsx';
import { Button } from '../parts/links.tsx';
import { Facts, Ledger, type LedgerLine } from '../parts/tables.tsx';
import { Note, Paragraph } from '../parts/text.tsx';
import { greeting, moment } from '../parts/words.ts';
import type { RefundNoticeProps } from '../props/buyer.ts';
import type { Template } from '../template.ts';

const isFull = (p: RefundNoticeProps) => p.totalRefunded >= p.paidAmount;

export const refundNotice: Template<RefundNoticeProps> = {
  subject: (p) =>
    isFull(p)
      ? `Your ${p.serviceName} order is refunded in full`
      : `We refunded ${formatMoney(p.refundAmount, p.currency)} of your ${p.serviceName} order`,
  Mail: (p) => {
    const refund = formatMoney(p.refundAmount, p.currency);
    const total = formatMoney(p.totalRefunded, p.currency);
    const paid = formatMoney(p.paidAmount, p.currency);
    const way = wayOf(p);
    return (
      <Layout
        siteUrl={p.siteUrl}
        preview={`${refund} goes back ${way}. Refunded in all: ${total} of ${paid}.`}
        eyebrow={isFull(p) ? 'Full refund' : 'Partial refund'}
        tone="accent"
        title={isFull(p) ? 'Your order is refunded in full' : `We refunded ${refund} of your order`}
        reason="You receive this because you bought a service from Querywright."
      >
        <Paragraph>{greeting(p.customerName)}</Paragraph>
        <Paragraph>
          We sent <strong>{refund}</strong> back {way}. Refunded in all: {total} of the {paid} you paid for{' '}
          {p.serviceName}.
        </Paragraph>
        <Ledger currency={p.currency} lines={ledgerOf(p)} />
        <Facts
          facts={[
            { label: 'Order', value: p.orderId, code: true },
            { label: 'Service', value: p.serviceName },
            { label: 'Date', value: moment(p.refundedAt) },
            { label: 'Payment method', value: methodLabel(p.paymentMethod, p.methodType) },
          ]}
        />
        <Button href={p.orderUrl} label="View your order" />
        <Note>The money is on its way. Banks take 5-10 days to show it.</Note>
      </Layout>
    );
  },
};

function wayOf({ paymentMethod, methodType }: RefundNoticeProps): string {
  if (paymentMethod === 'paypal') return 'through PayPal';
  return methodType ? 'the way you paid' : 'to the card you paid with';
}

function ledgerOf(p: RefundNoticeProps): LedgerLine[] {
  const earlier = p.totalRefunded - p.refundAmount;
  return [
    { label: 'You paid', amount: p.paidAmount },
    ...(earlier > 0 ? [{ label: 'Refunded earlier', amount: -earlier }] : []),
    { label: 'This refund', amount: -p.refundAmount },
    { label: `Paid after refunds (${p.currency})`, amount: p.paidAmount - p.totalRefunded },
  ];
}

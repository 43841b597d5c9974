import { formatMoney } from '../../core/money.ts';
import { brands, codeInWords } from '../../core/order-texts.ts';
import type { PaymentMethod } from '../../core/orders.ts';
import type { OnOrder } from '../props/order.ts';
import { Button, TextLink } from './links.tsx';
import { paragraphs, part } from './plain-text.ts';
import { type Fact, Facts } from './tables.tsx';
import { Command, Note } from './text.tsx';
import { moment } from './words.ts';

export const STAFF_REASON = 'You receive this because you are on the staff list of the Querywright site.';

export function clientFacts({ customerName, customerEmail, serviceName, orderId }: OnOrder): Fact[] {
  return [
    { label: 'Client', value: customerName },
    { label: 'E-mail', value: customerEmail },
    { label: 'Service', value: serviceName },
    { label: 'Order', value: orderId, code: true },
  ];
}

export function DashboardButton({ provider, dashboardUrl }: DashboardProps) {
  return dashboardUrl ? <Button href={dashboardUrl} label={`Open it in ${brands[provider]}`} /> : null;
}

interface PaymentDetailsProps extends OnOrder, DashboardProps {
  providerPaymentId: string;
  reason: string | null;
  occurredAt: string;
}

/** What the provider reports about a payment, where to look at it, and whose order it is. */
export function PaymentDetails(p: PaymentDetailsProps) {
  return (
    <>
      <DashboardButton {...p} />
      <Facts
        facts={[
          { label: 'Amount', value: formatMoney(p.amount, p.currency) },
          { label: 'Reason', value: codeInWords(p.reason) },
          { label: 'Payment', value: p.providerPaymentId, code: true },
          { label: 'Provider', value: brands[p.provider] },
          { label: 'Seen', value: moment(p.occurredAt) },
          ...clientFacts(p),
        ]}
      />
      <OrderLinks {...p} />
    </>
  );
}

interface DashboardProps {
  provider: PaymentMethod;
  dashboardUrl: string | null;
}

export function DeskButton({ deskUrl, label }: { deskUrl: string | null; label: string }) {
  return deskUrl ? <Button href={deskUrl} label={label} /> : null;
}

type OrderLinksProps = Pick<OnOrder, 'opsCommand' | 'deskUrl' | 'orderId' | 'orderUrl'>;

export const OrderLinks = part<OrderLinksProps>(
  (props) => <>{orderLinks(props)}</>,
  (props) => paragraphs(orderLinks(props)),
);

function orderLinks({ opsCommand, deskUrl, orderId, orderUrl }: OrderLinksProps) {
  const timeline = deskUrl
    ? [
        <Note key="desk">
          The order’s timeline is <TextLink href={deskUrl}>at the desk</TextLink>.
        </Note>,
      ]
    : [
        <Note key="timeline">The order’s timeline:</Note>,
        <Command key="command" line={`${opsCommand} order show ${orderId}`} />,
      ];
  return [
    ...timeline,
    <Note key="page">
      The client sees <TextLink href={orderUrl}>this page</TextLink>.
    </Note>,
  ];
}

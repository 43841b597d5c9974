import type { PaymentMethod } from '../../core/orders.ts';
import type { OnOrder } from '../props/order.ts';
import { Button, TextLink } from './links.tsx';
import { paragraphs, part } from './plain-text.ts';
import type { Fact } from './tables.tsx';
import { Command, Note } from './text.tsx';

export const STAFF_REASON = 'You receive this because you are on the staff list of the Querywright site.';

export function orderFacts({ customerName, customerEmail, serviceName, orderId }: OnOrder): Fact[] {
  return [
    { label: 'Client', value: customerName },
    { label: 'E-mail', value: customerEmail },
    { label: 'Service', value: serviceName },
    { label: 'Order', value: orderId, code: true },
  ];
}

export function brandName(provider: PaymentMethod): string {
  return provider === 'paypal' ? 'PayPal' : 'Stripe';
}

/** Nothing in the sandbox, which has no dashboard. */
export function DashboardButton({ provider, dashboardUrl }: DashboardProps) {
  return dashboardUrl ? <Button href={dashboardUrl} label={`Open it in ${brandName(provider)}`} /> : null;
}

interface DashboardProps {
  provider: PaymentMethod;
  dashboardUrl: string | null;
}

type OrderLinksProps = Pick<OnOrder, 'opsCommand' | 'orderId' | 'orderUrl'>;

export const OrderLinks = part<OrderLinksProps>(
  (props) => <>{orderLinks(props)}</>,
  (props) => paragraphs(orderLinks(props)),
);

function orderLinks({ opsCommand, orderId, orderUrl }: OrderLinksProps) {
  return [
    <Note key="timeline">Its full timeline:</Note>,
    <Command key="command" line={`${opsCommand} order show ${orderId}`} />,
    <Note key="page">
      The client sees <TextLink href={orderUrl}>this page</TextLink>.
    </Note>,
  ];
}

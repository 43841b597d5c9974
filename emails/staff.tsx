import type { PaymentMethod } from '../core/orders.ts';
import { Button, TextLink } from './links.tsx';
import { Command, Note } from './parts.tsx';
import { paragraphs, part } from './plain-text.ts';
import type { OnOrder } from './props-order.ts';
import type { Fact } from './tables.tsx';

/** The footer of every e-mail to staff. */
export const STAFF_REASON = 'You receive this because you are on the staff list of the Querywright site.';

/** Who bought what. */
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

/** The place to act, if there is one. */
export function DashboardButton({ provider, dashboardUrl }: DashboardProps) {
  return dashboardUrl ? <Button href={dashboardUrl} label={`Open it in ${brandName(provider)}`} /> : null;
}

interface DashboardProps {
  provider: PaymentMethod;
  dashboardUrl: string | null;
}

type OrderLinksProps = Pick<OnOrder, 'opsCommand' | 'orderId' | 'orderUrl'>;

/** Where to read everything about the order. */
export const OrderLinks = part<OrderLinksProps>(
  (props) => <>{orderLinks(props)}</>,
  (props) => paragraphs(orderLinks(props)),
);

function orderLinks({ opsCommand, orderId, orderUrl }: OrderLinksProps) {
  return [
    <Note key="page">
      See the <TextLink href={orderUrl}>order page</TextLink>, or the order with its history, payment events
      and e-mails:
    </Note>,
    <Command key="command" line={`${opsCommand} order show ${orderId}`} />,
  ];
}

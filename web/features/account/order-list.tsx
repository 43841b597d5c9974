import type { AccountView } from '../../../core/account.ts';
import { formatMoney } from '../../../core/money.ts';
import { statusLabel } from '../../../core/order-texts.ts';
import { paths, successFor } from '../../../core/paths.ts';
import { ButtonLink } from '../../components/ui/button.tsx';
import { SiteLink } from '../../components/ui/link.tsx';

export function OrderList({ orders }: Pick<AccountView, 'orders'>) {
  if (orders.length === 0) {
    return (
      <div className="mt-4 border-t border-line pt-6">
        <p className="text-muted">Orders that you place while signed in appear here.</p>
        <ButtonLink to={paths.pricing} look="secondary" className="mt-4">
          See prices
        </ButtonLink>
      </div>
    );
  }
  return (
    <ul className="mt-4 divide-y divide-line border-y border-line">
      {orders.map((order) => (
        <li key={order.id} className="grid gap-x-6 gap-y-1 py-4 sm:grid-cols-[1fr_auto]">
          <SiteLink to={successFor(order.id)} className="link font-medium">
            {order.serviceName}
          </SiteLink>
          <span className="figure sm:text-right">{formatMoney(order.amount, order.currency)}</span>
          <span className="text-sm text-muted">{dayOf(order.createdAt)}</span>
          <span className="text-sm text-muted sm:text-right">{statusLabel(order)}</span>
        </li>
      ))}
    </ul>
  );
}

function dayOf(time: string): string {
  return new Intl.DateTimeFormat('en-US', { dateStyle: 'long' }).format(new Date(time));
}

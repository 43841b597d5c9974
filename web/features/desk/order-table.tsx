import { useRef } from 'react';
import { Link, useLocation } from 'react-router-dom';
import type { OrderRow } from '../../../core/desk-orders.ts';
import { deskPages } from '../../../core/desk-paths.ts';
import { formatMoney } from '../../../core/money.ts';
import { brands } from '../../../core/order-texts.ts';
import { Moment, More, type MoreProps } from './parts.tsx';
import { StatusBadge } from './status-badge.tsx';
import { useKeptFocus } from './use-kept-focus.ts';
import { rememberRow, useNextPage, useReturn, useRowKeys } from './use-keys.ts';

/** `j` and `k` go from order to order, Enter opens one. On a phone each row is a card. */
export function OrderTable({ orders, list }: { orders: readonly OrderRow[]; list: MoreProps['list'] }) {
  const table = useRef<HTMLTableElement>(null);
  const ids = orders.map(({ id }) => id);
  const showMore = useNextPage(table, ids, list);
  useRowKeys(table, () => void showMore());
  useReturn(table, ids);
  if (orders.length === 0) return null;
  return (
    <>
      <table ref={table} className="mt-2 block w-full text-sm lg:table">
        <caption className="sr-only">Orders, newest first</caption>
        <thead className="hidden border-b border-line text-left text-muted lg:table-header-group">
          <tr>
            {['Placed', 'Status', 'Buyer', 'Service', 'Method', 'Amount'].map((name) => (
              <th key={name} scope="col" className="py-2 pr-4 font-medium last:pr-0 last:text-right">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="block divide-y divide-line lg:table-row-group">
          {orders.map((order) => (
            <Row key={order.id} order={order} />
          ))}
        </tbody>
      </table>
      <More list={{ ...list, fetchNextPage: showMore }} />
    </>
  );
}

function Row({ order }: { order: OrderRow }) {
  const list = useLocation();
  const row = useRef<HTMLTableRowElement>(null);
  useKeptFocus(row);
  return (
    <tr
      ref={row}
      className="grid grid-cols-[1fr_auto] gap-x-4 gap-y-0.5 py-3 focus-within:bg-sunken hover:bg-sunken lg:table-row"
    >
      <td className="text-muted max-lg:[&_time]:whitespace-normal lg:pr-4">
        <Moment at={order.createdAt} />
      </td>
      <td className="text-right lg:pr-4 lg:text-left">
        <StatusBadge status={order.status} />
      </td>
      <td className="col-span-2 min-w-0 wrap-anywhere lg:py-2.5 lg:pr-4">
        <Link
          to={deskPages.order(order.id)}
          state={{ list: { search: list.search, state: list.state } }}
          onClick={() => rememberRow(order.id)}
          className="link font-medium"
          data-row
        >
          {order.customerName || 'Erased'}
        </Link>
        <span className="block text-muted">{order.customerEmail}</span>
      </td>
      <td className="lg:pr-4">{order.serviceName}</td>
      <td className="hidden lg:table-cell lg:pr-4">{brands[order.paymentMethod]}</td>
      <td className="figure text-right font-medium">{formatMoney(order.amount, order.currency)}</td>
    </tr>
  );
}

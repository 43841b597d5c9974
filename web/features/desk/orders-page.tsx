import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useLocation, useNavigate, useSearchParams } from 'react-router-dom';
import { type OrderFilters, orderFilters } from '../../../core/desk-orders.ts';
import type { StaffView } from '../../../core/staff.ts';
import { counted } from '../../../core/text.ts';
import { deskApi } from './desk-api.ts';
import { ExportForm } from './export-form.tsx';
import { OrderFilterForm } from './order-filter-form.tsx';
import { OrderTable } from './order-table.tsx';
import { type ListRequest, ordersQuery } from './orders-queries.ts';
import { Failure, Heading, Loading } from './parts.tsx';
import { SalesChart } from './sales-chart.tsx';
import { useListChanges } from './use-order-changes.ts';

/** The filters are in the URL, so that it can be shared; the search is not, since it may be personal data. */
export function OrdersPage({ me }: { me: StaffView }) {
  const filters = useFilters();
  const { state } = useLocation();
  const navigate = useNavigate();
  const text = typeof state?.text === 'string' ? state.text : '';
  const request: ListRequest = useMemo(() => ({ ...filters, ...(text ? { text } : {}) }), [filters, text]);
  const show = (next: OrderFilters, searched: string) =>
    navigate({ search: new URLSearchParams(next).toString() }, { state: { text: searched }, replace: true });
  return (
    <>
      <div className="flex flex-wrap items-baseline justify-between gap-4">
        <Heading>Orders</Heading>
        {me.role === 'operator' && !text && (
          <ExportForm
            me={me}
            path={deskApi.exportOrders}
            body={{ filters }}
            file="orders.csv"
            className="text-sm open:w-full sm:open:w-80"
          />
        )}
      </div>
      <SalesChart />
      <OrderFilterForm
        filters={filters}
        text={text}
        isSearching={state?.isSearching === true}
        onChange={show}
      />
      <Orders request={request} />
    </>
  );
}

function Orders({ request }: { request: ListRequest }) {
  useListChanges(request);
  const list = useInfiniteQuery(ordersQuery(request));
  const orders = list.data?.pages.flatMap((page) => page.orders);
  return (
    <>
      <p role="status" className="mt-6 min-h-6 text-sm text-muted">
        {orders && foundIn(orders.length, list.hasNextPage)}
      </p>
      {orders && <OrderTable orders={orders} list={list} />}
      {list.isPending && <Loading />}
      {list.isError && (
        <div className="mt-6">
          <Failure error={list.error} onRetry={() => void list.refetch()} />
        </div>
      )}
    </>
  );
}

function foundIn(count: number, hasMore: boolean): string {
  if (count === 0) return 'No order matches. Clear a filter, or search for something else.';
  return hasMore ? `The first ${counted(count, 'order')}` : counted(count, 'order');
}

/** What of the address is a filter; the rest is left out. */
function useFilters(): OrderFilters {
  const [search] = useSearchParams();
  const address = search.toString();
  return useMemo(() => {
    const wanted = Object.fromEntries(new URLSearchParams(address));
    const known = Object.entries(orderFilters.shape).filter(
      ([name, schema]) => wanted[name] && schema.safeParse(wanted[name]).success,
    );
    return Object.fromEntries(known.map(([name]) => [name, wanted[name]]));
  }, [address]);
}

import { type InfiniteData, infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import {
  type OrderListRequest,
  type OrderPage,
  type OrderRow,
  orderPage,
  passes,
  salesWeeks,
} from '../../../core/desk-orders.ts';
import { get, post } from '../../lib/api-client.ts';
import { deskApi } from './desk-api.ts';

export type ListRequest = Omit<OrderListRequest, 'after'>;

export const ordersQuery = (request: ListRequest, headers: Record<string, string> = {}) =>
  infiniteQueryOptions({
    queryKey: [deskApi.orders, request],
    queryFn: async ({ pageParam }) => {
      const after = pageParam ? { after: pageParam } : {};
      return orderPage.parse(await post(deskApi.orders, { ...request, ...after }, headers));
    },
    initialPageParam: '',
    getNextPageParam: (page: OrderPage) => page.next,
    // Refetched when the page opens; later changes come by the stream.
    staleTime: 0,
  });

export const weeksQuery = queryOptions({
  queryKey: [deskApi.weeks],
  queryFn: async ({ signal }) => salesWeeks.parse(await get(deskApi.weeks, signal)),
  staleTime: 0,
});

type Pages = InfiniteData<OrderPage, unknown>;

/** The list with an order that is new or has changed: in its place, or left out if it does not pass the filters. */
export function withChange(
  known: Pages | undefined,
  order: OrderRow,
  request: ListRequest,
  serviceName: string | undefined,
): Pages | undefined {
  if (!known) return known;
  const { text, ...filters } = request;
  const isListed = known.pages.some((page) => page.orders.some(({ id }) => id === order.id));
  const isShown = passes(order, filters, serviceName);
  if (!isListed) return isShown && !text ? withNew(known, order) : known;
  const pages = known.pages.map((page) => ({
    ...page,
    orders: page.orders.flatMap((row) => (row.id !== order.id ? [row] : isShown ? [order] : [])),
  }));
  return { ...known, pages };
}

/** The list with the order before the first older one. Past the last one, a page that is still to be read contains it. */
function withNew(known: Pages, order: OrderRow): Pages {
  const isOlder = ({ createdAt }: OrderRow) => createdAt <= order.createdAt;
  const at = known.pages.findIndex(({ orders, next }) => next === null || orders.some(isOlder));
  const pages = known.pages.map((page, index) => {
    if (index !== at) return page;
    const newer = page.orders.filter((row) => !isOlder(row));
    return { ...page, orders: [...newer, order, ...page.orders.filter(isOlder)] };
  });
  return { ...known, pages };
}

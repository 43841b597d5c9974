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

/** The list with an order that is new or has changed: in its place, at the top, or left out. */
export function withChange(
  known: Pages | undefined,
  order: OrderRow,
  request: ListRequest,
  serviceName: string | undefined,
): Pages | undefined {
  if (!known) return known;
  const isListed = known.pages.some((page) => page.orders.some(({ id }) => id === order.id));
  const { text, ...filters } = request;
  if (isListed) {
    const pages = known.pages.map((page) => ({
      ...page,
      orders: page.orders.map((row) => (row.id === order.id ? order : row)),
    }));
    return { ...known, pages };
  }
  const [first, ...others] = known.pages;
  const isNew = !first?.orders[0] || order.createdAt >= first.orders[0].createdAt;
  if (!first || text || !isNew || !passes(order, filters, serviceName)) return known;
  return { ...known, pages: [{ ...first, orders: [order, ...first.orders] }, ...others] };
}

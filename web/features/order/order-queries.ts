import { queryOptions } from '@tanstack/react-query';
import { type OrderStatusEvent, type OrderView, orderView } from '../../../core/orders.ts';
import { serviceView } from '../../../core/services.ts';
import { get } from '../../lib/api-client.ts';
import { api } from '../../lib/api-paths.ts';

export const orderQuery = (orderId: string) =>
  queryOptions({
    queryKey: [api.orders, orderId],
    queryFn: async ({ signal }): Promise<OrderView> =>
      orderView.parse(await get(`${api.orders}/${encodeURIComponent(orderId)}`, signal)),
  });

export const serviceQuery = (serviceId: string) =>
  queryOptions({
    queryKey: [api.services, serviceId],
    queryFn: async ({ signal }) => serviceView.parse(await get(`${api.services}/${serviceId}`, signal)),
  });

/** Applies a status event; one of another order changes nothing. */
export function withStatus(order: OrderView | undefined, event: OrderStatusEvent): OrderView | undefined {
  return order && order.id === event.id ? { ...order, ...event } : order;
}

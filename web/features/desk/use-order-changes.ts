import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { services } from '../../../core/catalogue.ts';
import { orderChange } from '../../../core/desk-orders.ts';
import { deskApi } from './desk-paths.ts';
import { type ListRequest, ordersQuery, withChange } from './orders-queries.ts';

/** Keeps the list as it is on the server. Every connection begins with a fresh list, for what was missed. */
export function useOrderChanges(request: ListRequest): void {
  const queryClient = useQueryClient();
  useEffect(() => {
    const query = ordersQuery(request);
    const serviceName = services.find(({ slug }) => slug === request.service)?.name;
    const events = new EventSource(deskApi.orderChanges, { withCredentials: true });
    let hasOpened = false;
    events.addEventListener('open', () => {
      if (hasOpened) void queryClient.invalidateQueries(query);
      hasOpened = true;
    });
    events.addEventListener('order', (message: MessageEvent<string>) => {
      const order = orderChange.parse(JSON.parse(message.data));
      if (order === null) return void queryClient.invalidateQueries(query);
      queryClient.setQueryData(query.queryKey, (known) => withChange(known, order, request, serviceName));
    });
    return () => events.close();
  }, [queryClient, request]);
}

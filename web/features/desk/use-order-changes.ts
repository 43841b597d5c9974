import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { services } from '../../../core/catalogue.ts';
import { orderChange } from '../../../core/desk-orders.ts';
import { deskApi } from './desk-paths.ts';
import { deskOrderQuery, readDeskOrder } from './order-queries.ts';
import { type ListRequest, ordersQuery, withChange } from './orders-queries.ts';

type Change = ReturnType<typeof orderChange.parse>;

/** Calls `onChange` with each order that is new or has changed, and with null after a gap. */
function useChanges(onChange: (change: Change) => void): void {
  const latest = useRef(onChange);
  latest.current = onChange;
  useEffect(() => {
    const events = new EventSource(deskApi.orderChanges, { withCredentials: true });
    let hasOpened = false;
    events.addEventListener('open', () => {
      if (hasOpened) latest.current(null);
      hasOpened = true;
    });
    events.addEventListener('order', (message: MessageEvent<string>) => {
      latest.current(orderChange.parse(JSON.parse(message.data)));
    });
    return () => events.close();
  }, []);
}

/** Keeps the list as it is on the server. */
export function useListChanges(request: ListRequest): void {
  const queryClient = useQueryClient();
  useChanges((order) => {
    const query = ordersQuery(request);
    if (order === null) return void queryClient.invalidateQueries(query);
    const serviceName = services.find(({ slug }) => slug === request.service)?.name;
    queryClient.setQueryData(query.queryKey, (known) => withChange(known, order, request, serviceName));
  });
}

/** Reads the order again whenever it changes. */
export function useChangesOf(orderId: string): void {
  const queryClient = useQueryClient();
  useChanges((order) => {
    if (order !== null && order.id !== orderId) return;
    readDeskOrder(orderId, { isBackground: true }).then(
      (fresh) => queryClient.setQueryData(deskOrderQuery(orderId).queryKey, fresh),
      // The next change or the next visit reads it.
      () => {},
    );
  });
}

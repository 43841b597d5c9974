import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { type OrderStatus, orderStatusEvent } from '../../../core/orders.ts';
import { orderEventsPath } from '../../lib/api-paths.ts';
import { orderQuery, withStatus } from './order-queries.ts';

/** Statuses that can still change while the buyer watches. */
const awaitsMoney: readonly OrderStatus[] = ['pending', 'processing', 'failed', 'canceled', 'review'];

const POLL_MS = 5_000;

/**
 * Writes each committed status into the cached order while the payment can still arrive. The browser reconnects by
 * itself, and every connection starts with the current status. Where the stream is refused, as with too many open ones,
 * the order is asked for instead.
 */
export function useLiveStatus(orderId: string, status: OrderStatus | undefined): void {
  const queryClient = useQueryClient();
  const listening = status !== undefined && awaitsMoney.includes(status);
  useEffect(() => {
    if (!listening) return;
    const events = new EventSource(orderEventsPath(orderId), { withCredentials: true });
    events.addEventListener('status', (message: MessageEvent<string>) => {
      const event = orderStatusEvent.parse(JSON.parse(message.data));
      queryClient.setQueryData(orderQuery(orderId).queryKey, (order) => withStatus(order, event));
    });
    let poll: ReturnType<typeof setInterval> | undefined;
    events.addEventListener('error', () => {
      if (events.readyState !== EventSource.CLOSED) return;
      poll ??= setInterval(() => void queryClient.invalidateQueries(orderQuery(orderId)), POLL_MS);
    });
    return () => {
      events.close();
      clearInterval(poll);
    };
  }, [queryClient, orderId, listening]);
}

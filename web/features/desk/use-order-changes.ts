import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { z } from 'zod';
import { services } from '../../../core/catalogue.ts';
import { todayView } from '../../../core/desk.ts';
import { deskOrder } from '../../../core/desk-order.ts';
import { orderChange } from '../../../core/desk-orders.ts';
import { deskApi } from './desk-paths.ts';
import { getQuietly, todayQuery } from './desk-queries.ts';
import { deskOrderQuery } from './order-queries.ts';
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

export function useListChanges(request: ListRequest): void {
  const queryClient = useQueryClient();
  useChanges((order) => {
    const query = ordersQuery(request);
    if (order === null) return void queryClient.invalidateQueries(query);
    const serviceName = services.find(({ slug }) => slug === request.service)?.name;
    queryClient.setQueryData(query.queryKey, (known) => withChange(known, order, request, serviceName));
  });
}

export function useChangesOf(orderId: string): void {
  const { queryKey } = deskOrderQuery(orderId);
  useFreshReads(queryKey, deskOrder, (order) => order === null || order.id === orderId);
}

export function useTodayChanges(): void {
  useFreshReads(todayQuery.queryKey, todayView, () => true);
}

/** However many orders change. */
const MIN_PAUSE_MS = 1_000;
/** Jobs and e-mails change without a notification, and some concerns arise by the passage of time. */
const READ_EVERY_MS = 30_000;

/** Refetches the query, whose key is its address, after each relevant change, and periodically. */
function useFreshReads(
  queryKey: QueryKey,
  schema: z.ZodType,
  isConcerned: (change: Change) => boolean,
): void {
  const queryClient = useQueryClient();
  const [path] = queryKey;
  const next = useRef<number>(undefined);
  const readAt = useRef(0);
  const readSoon = () => {
    if (next.current !== undefined) return;
    const pauseMs = Math.max(0, readAt.current + MIN_PAUSE_MS - Date.now());
    next.current = window.setTimeout(async () => {
      next.current = undefined;
      readAt.current = Date.now();
      const answer = await getQuietly(String(path)).catch(() => undefined);
      // A failed read is made up for by the next change or visit.
      const fresh = schema.safeParse(answer);
      if (fresh.success) queryClient.setQueryData(queryKey, fresh.data);
    }, pauseMs);
  };
  const latest = useRef(readSoon);
  latest.current = readSoon;
  useChanges((change) => {
    if (isConcerned(change)) readSoon();
  });
  useEffect(() => {
    const timer = window.setInterval(() => latest.current(), READ_EVERY_MS);
    return () => {
      window.clearInterval(timer);
      window.clearTimeout(next.current);
      next.current = undefined;
    };
  }, []);
}

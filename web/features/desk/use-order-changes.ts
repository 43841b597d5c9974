import { type QueryClient, type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { z } from 'zod';
import { services } from '../../../core/catalogue.ts';
import { todayView } from '../../../core/desk.ts';
import { deskOrder } from '../../../core/desk-order.ts';
import { orderChange } from '../../../core/desk-orders.ts';
import { deskApi } from './desk-api.ts';
import { inBackground, refetchInBackground, todayQuery } from './desk-queries.ts';
import { deskOrderQuery } from './order-queries.ts';
import { type ListRequest, ordersQuery, withChange } from './orders-queries.ts';

type Change = ReturnType<typeof orderChange.parse>;

const REOPEN_MS = 10_000;

/** Calls `onChange` with each order that is new or has changed, and with null at first and when some may have been missed. */
function useChanges(onChange: (change: Change) => void): void {
  const latest = useRef(onChange);
  latest.current = onChange;
  useEffect(() => {
    let reopening: number | undefined;
    let events = open();

    function open(): EventSource {
      const opened = new EventSource(deskApi.orderChanges, { withCredentials: true });
      opened.addEventListener('order', (message: MessageEvent<string>) => {
        latest.current(orderChange.parse(JSON.parse(message.data)));
      });
      opened.addEventListener('error', () => {
        // The browser does not try again where it is refused, as after the end of the session or while the site restarts.
        if (opened.readyState !== EventSource.CLOSED) return;
        latest.current(null);
        reopening = window.setTimeout(() => {
          events = open();
        }, REOPEN_MS);
      });
      return opened;
    }

    return () => {
      events.close();
      window.clearTimeout(reopening);
    };
  }, []);
}

export function useListChanges(request: ListRequest): void {
  const queryClient = useQueryClient();
  useChanges((order) => {
    const query = ordersQuery(request);
    if (order === null) return void readAgain(queryClient, request);
    const serviceName = services.find(({ slug }) => slug === request.service)?.name;
    queryClient.setQueryData(query.queryKey, (known) => withChange(known, order, request, serviceName));
  });
}

/** All the pages that are shown. A failure is the query's own. */
async function readAgain(queryClient: QueryClient, request: ListRequest): Promise<void> {
  const query = ordersQuery(request, inBackground);
  const pages = queryClient.getQueryData(query.queryKey)?.pages.length ?? 1;
  await queryClient.fetchInfiniteQuery({ ...query, pages }).catch(() => {});
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
  const next = useRef<number>(undefined);
  const readAt = useRef(0);
  const readSoon = () => {
    if (next.current !== undefined) return;
    const pauseMs = Math.max(0, readAt.current + MIN_PAUSE_MS - Date.now());
    next.current = window.setTimeout(async () => {
      next.current = undefined;
      readAt.current = Date.now();
      await refetchInBackground(queryClient, queryKey, schema);
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

import { type QueryClient, type QueryKey, queryOptions } from '@tanstack/react-query';
import type { z } from 'zod';
import { todayView } from '../../../core/desk.ts';
import { staffView } from '../../../core/staff.ts';
import { get, request } from '../../lib/api-client.ts';
import { deskApi } from './desk-api.ts';

/** Marks a read that no person caused, which does not keep the session alive. */
export const inBackground = { 'x-background': '1' };

export const meQuery = queryOptions({
  queryKey: [deskApi.me],
  queryFn: async ({ signal }) => staffView.parse(await get(deskApi.me, signal)),
});

/** Refetches a query, whose key is its address, without keeping the session alive. A failure is left to the query. */
export async function refetchInBackground(
  queryClient: QueryClient,
  queryKey: QueryKey,
  schema: z.ZodType,
): Promise<void> {
  const queryFn = async () =>
    schema.parse(await request('GET', String(queryKey[0]), { headers: inBackground }));
  await queryClient.fetchQuery({ queryKey, queryFn, staleTime: 0 }).catch(() => {});
}

export const todayQuery = queryOptions({
  queryKey: [deskApi.today],
  queryFn: async ({ signal }) => todayView.parse(await get(deskApi.today, signal)),
  // Refetched when the page opens.
  staleTime: 0,
});

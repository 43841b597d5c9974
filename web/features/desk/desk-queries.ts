import { queryOptions } from '@tanstack/react-query';
import { todayView } from '../../../core/desk.ts';
import { staffView } from '../../../core/staff.ts';
import { get } from '../../lib/api-client.ts';
import { deskApi } from './desk-api.ts';

export const meQuery = queryOptions({
  queryKey: [deskApi.me],
  queryFn: async ({ signal }) => staffView.parse(await get(deskApi.me, signal)),
});

/** Marks a read that no person caused, which does not keep the session alive. */
export const inBackground = { 'x-background': '1' };

export const todayQuery = queryOptions({
  queryKey: [deskApi.today],
  queryFn: async ({ signal }) => todayView.parse(await get(deskApi.today, signal)),
  // Refetched when the page opens.
  staleTime: 0,
});

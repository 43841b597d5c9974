import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { staffView } from '../../../core/staff.ts';
import { ApiError, request } from '../../lib/api-client.ts';
import { deskApi } from './desk-api.ts';
import { inBackground, meQuery } from './desk-queries.ts';

/** Whether the session may have ended: without one the desk answers 404, as if it did not exist. */
export function isSignedOut(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 401 || error.status === 404);
}

/** Reads again who is signed in, if an ended session explains the error. */
export async function checkSession(queryClient: QueryClient, error: unknown): Promise<void> {
  if (!isSignedOut(error)) return;
  const queryFn = async () => staffView.parse(await request('GET', deskApi.me, { headers: inBackground }));
  // A failure is the query's own.
  await queryClient.fetchQuery({ ...meQuery, queryFn, staleTime: 0 }).catch(() => {});
}

/** Checks the session after each read that was refused. */
export function useSessionCheck(): void {
  const queryClient = useQueryClient();
  useEffect(
    () =>
      queryClient.getQueryCache().subscribe((event) => {
        if (event.type !== 'updated' || event.action.type !== 'error') return;
        if (event.query.queryKey[0] !== deskApi.me) void checkSession(queryClient, event.action.error);
      }),
    [queryClient],
  );
}

import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { staffView } from '../../../core/staff.ts';
import { ApiError } from '../../lib/api-client.ts';
import { deskApi } from './desk-api.ts';
import { meQuery, refetchInBackground } from './desk-queries.ts';

/**
 * Whether an error of {@link meQuery} means that the session has ended; of any other call, that it may have. Without a session
 * the desk answers 404, as if it did not exist.
 */
export function isSignedOut(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 401 || error.status === 404);
}

/** Refetches who is signed in, if an ended session may explain the error. */
export async function checkSession(queryClient: QueryClient, error: unknown): Promise<void> {
  if (isSignedOut(error)) await refetchInBackground(queryClient, meQuery.queryKey, staffView);
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

import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { CurrentUser } from '../../core/account.ts';
import { SESSION_HINT_COOKIE } from '../../core/session-hint.ts';
import { ApiError, get } from './api-client.ts';
import { api } from './api-paths.ts';
import { useHydrated } from './browser.ts';

export type Session =
  | { state: 'loading' }
  | { state: 'anonymous'; lookUpFailed: boolean }
  | { state: 'signed-in'; user: CurrentUser };

/**
 * The signed-in user, or null. The API sets a readable cookie beside the HttpOnly session; without it the visitor is
 * known to be anonymous, and no call is made that would log a 401 in the console.
 */
export const currentUserQuery = queryOptions({
  queryKey: [api.currentUser],
  queryFn: async ({ signal }): Promise<CurrentUser | null> => {
    if (!hasSessionHint()) return null;
    const [{ currentUser }, answer] = await Promise.all([
      import('../../core/account.ts'),
      get(api.currentUser, signal).catch(nullOn401),
    ]);
    return answer === null ? null : currentUser.parse(answer);
  },
});

/** 'loading' while prerendering. A failed look-up counts as anonymous; see `lookUpFailed`. */
export function useSession(): Session {
  const hydrated = useHydrated();
  const user = useQuery({ ...currentUserQuery, enabled: hydrated });
  if (!hydrated || user.isPending) return { state: 'loading' };
  if (user.data) return { state: 'signed-in', user: user.data };
  return { state: 'anonymous', lookUpFailed: user.isError };
}

/** Reads the session again after the back/forward cache restores a page: it must not show a former one. */
export function useSessionAfterReturn(): void {
  const queryClient = useQueryClient();
  useEffect(() => {
    const lookAgain = (event: PageTransitionEvent) => {
      if (event.persisted) void queryClient.resetQueries(currentUserQuery);
    };
    window.addEventListener('pageshow', lookAgain);
    return () => window.removeEventListener('pageshow', lookAgain);
  }, [queryClient]);
}

function hasSessionHint(): boolean {
  return document.cookie.split('; ').some((cookie) => cookie.startsWith(`${SESSION_HINT_COOKIE}=`));
}

function nullOn401(error: unknown): null {
  if (!(error instanceof ApiError) || error.status !== 401) throw error;
  return null;
}

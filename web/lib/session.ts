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
 * Who is signed in; null for nobody (401). The API leaves a readable cookie beside the real, HttpOnly session, so a
 * visitor without one is known to be anonymous at once and does not ask a question whose answer is an error.
 */
export const currentUserQuery = queryOptions({
  queryKey: [api.currentUser],
  queryFn: async ({ signal }): Promise<CurrentUser | null> => {
    if (!hasSessionHint()) return null;
    const [{ currentUser }, answer] = await Promise.all([
      import('../../core/account.ts'),
      get(api.currentUser, signal).catch(nobodyWhen401),
    ]);
    return answer === null ? null : currentUser.parse(answer);
  },
});

/**
 * The three states of spec §4. Prerendered pages are always 'loading'. Who could not be looked up counts as anonymous:
 * whoever must not be taken for nobody asks for `lookUpFailed`.
 */
export function useSession(): Session {
  const hydrated = useHydrated();
  const user = useQuery({ ...currentUserQuery, enabled: hydrated });
  if (!hydrated || user.isPending) return { state: 'loading' };
  if (user.data) return { state: 'signed-in', user: user.data };
  return { state: 'anonymous', lookUpFailed: user.isError };
}

/**
 * A page that comes back from the browser's memory (the back button) still shows who was signed in when it was left:
 * looks again. Whoever has signed out meanwhile leaves nothing for the next person at this computer.
 */
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

function nobodyWhen401(error: unknown): null {
  if (!(error instanceof ApiError) || error.status !== 401) throw error;
  return null;
}

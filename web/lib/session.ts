import { useEffect, useSyncExternalStore } from 'react';
import type { CurrentUser } from '../../core/account.ts';
import { SESSION_HINT_COOKIE } from '../../core/session-hint.ts';
import { ApiError, get } from './api-client.ts';
import { api } from './api-paths.ts';
import { createStore } from './store.ts';

export type Session =
  | { state: 'loading' }
  | { state: 'anonymous'; lookUpFailed: boolean }
  | { state: 'signed-in'; user: CurrentUser };

const loading: Session = { state: 'loading' };
const anonymous: Session = { state: 'anonymous', lookUpFailed: false };
const unknown: Session = { state: 'anonymous', lookUpFailed: true };

export const sessionStore = createStore<Session>(loading);
let lookUp: Promise<Session> | undefined;

/** 'loading' while prerendering. A failed look-up counts as anonymous; see `lookUpFailed`. */
export function useSession(): Session {
  return useSyncExternalStore(subscribe, sessionStore.get, () => loading);
}

/** The session, looked up once per document. Never rejects. */
export function currentSession(): Promise<Session> {
  return lookUp ?? renewSession();
}

/** Looks the session up again, and shows the former one until then. */
export function renewSession(): Promise<Session> {
  const latest = readSession()
    .catch(() => unknown)
    .then((found) => {
      if (lookUp === latest) sessionStore.set(found);
      return found;
    });
  lookUp = latest;
  return latest;
}

/** As {@link renewSession}, but shows none until then. */
export function resetSession(): void {
  sessionStore.set(loading);
  void renewSession();
}

/** Resets the session after the back/forward cache restores a page: it must not show a former one. */
export function useSessionAfterReturn(): void {
  useEffect(() => {
    const lookAgain = (event: PageTransitionEvent) => {
      if (event.persisted) resetSession();
    };
    window.addEventListener('pageshow', lookAgain);
    return () => window.removeEventListener('pageshow', lookAgain);
  }, []);
}

function subscribe(notify: () => void): () => void {
  void currentSession();
  return sessionStore.subscribe(notify);
}

/**
 * The API sets a readable cookie beside the HttpOnly session; without it the visitor is known to be anonymous, and no
 * call is made that would log a 401 in the console.
 */
async function readSession(): Promise<Session> {
  const hasHint = document.cookie.split('; ').some((cookie) => cookie.startsWith(`${SESSION_HINT_COOKIE}=`));
  if (!hasHint) return anonymous;
  const [{ currentUser }, answer] = await Promise.all([
    import('../../core/account.ts'),
    get(api.currentUser).catch(nullOn401),
  ]);
  return answer === null ? anonymous : { state: 'signed-in', user: currentUser.parse(answer) };
}

function nullOn401(error: unknown): null {
  if (!(error instanceof ApiError) || error.status !== 401) throw error;
  return null;
}

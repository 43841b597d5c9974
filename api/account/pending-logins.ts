import type { SessionData } from 'express-session';
import type { PendingLogin } from '../../infra/identity.ts';

export const LOGIN_VALID_MS = 15 * 60_000;
const MAX_PENDING = 5;

export interface KeptLogin extends PendingLogin {
  returnTo: string;
  startedAt: number;
}

/** Keeps a sign-in that begins now, beside the latest others of this browser. */
export function keepLogin(session: Partial<SessionData>, login: PendingLogin & { returnTo: string }): void {
  const others = Object.values(session.logins ?? {}).filter(isValid);
  const latest = others.sort((a, b) => b.startedAt - a.startedAt).slice(0, MAX_PENDING - 1);
  const kept = [...latest, { ...login, startedAt: Date.now() }];
  session.logins = Object.fromEntries(kept.map((entry) => [entry.state, entry]));
}

/** Takes the sign-in of this state out of the session: single use. Undefined if absent or expired. */
export function takeLogin(session: Partial<SessionData>, state: unknown): KeptLogin | undefined {
  if (typeof state !== 'string' || !session.logins || !Object.hasOwn(session.logins, state)) return undefined;
  const { [state]: login, ...others } = session.logins;
  session.logins = others;
  return login && isValid(login) ? login : undefined;
}

function isValid(login: KeptLogin): boolean {
  return login.startedAt > Date.now() - LOGIN_VALID_MS;
}

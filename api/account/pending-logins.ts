import type { Request, Response } from 'express';
import type { Config } from '../../infra/config.ts';
import type { PendingLogin } from '../../infra/identity.ts';
import { createSealed } from '../../infra/sealed.ts';
import { cookieName, cookieOptions, readCookie } from './cookies.ts';

const VALID_MS = 15 * 60_000;
const MAX_PENDING = 5;
/** Browsers limit a cookie to 4,096 bytes, including its name and attributes. */
const MAX_COOKIE_BYTES = 3_800;
const PURPOSE = 'pending-logins';

export interface KeptLogin extends PendingLogin {
  returnTo: string;
  startedAt: number;
}

/** Pending sign-ins, one per tab, in a sealed cookie, so that abandoned ones do not fill the session store. */
interface PendingLogins {
  /** Adds a sign-in to the browser's other pending ones. */
  keep(req: Request, res: Response, login: PendingLogin & { returnTo: string }): void;
  /** Removes the sign-in with this state from the cookie and returns it. Undefined if absent or expired. */
  take(req: Request, res: Response, state: unknown): KeptLogin | undefined;
}

export function createPendingLogins(config: Config): PendingLogins {
  const sealed = createSealed(config.sessionSecrets);
  const name = cookieName(config, 'sign-in');
  const options = { ...cookieOptions(config), httpOnly: true };

  /** Newest first. */
  function read(req: Request): KeptLogin[] {
    const value = readCookie(req, name);
    const kept = (value && sealed.open(PURPOSE, value)) || [];
    return (kept as KeptLogin[]).filter(({ startedAt }) => startedAt > Date.now() - VALID_MS);
  }

  return {
    keep(req, res, login) {
      const kept = [{ ...login, startedAt: Date.now() }, ...read(req)].slice(0, MAX_PENDING);
      let value = sealed.seal(PURPOSE, kept);
      while (value.length > MAX_COOKIE_BYTES && kept.length > 1) {
        kept.pop();
        value = sealed.seal(PURPOSE, kept);
      }
      res.cookie(name, value, { ...options, maxAge: VALID_MS });
    },
    take(req, res, state) {
      const kept = read(req);
      const login = kept.find((other) => other.state === state);
      if (!login) return undefined;
      const others = kept.filter((other) => other !== login);
      if (others.length === 0) res.clearCookie(name, options);
      else res.cookie(name, sealed.seal(PURPOSE, others), { ...options, maxAge: VALID_MS });
      return login;
    },
  };
}

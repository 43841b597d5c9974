import type { NextFunction, Request, RequestHandler, Response } from 'express';
import session from 'express-session';
import { messages } from '../../core/messages.ts';
import { SESSION_HINT_COOKIE } from '../../core/session-hint.ts';
import type { Config } from '../../infra/config.ts';
import { within } from '../../infra/deadline.ts';
import { SESSION_DEADLINE_MS } from '../../infra/sessions.ts';
import { HttpError, Unavailable } from '../http/errors.ts';
import type { ApiParts } from '../parts.ts';
import { cookieName, cookieOptions } from './cookies.ts';

export interface SessionGuard {
  /** The visitor's session, or 503 within a second while sessions cannot be read. */
  required: RequestHandler;
  /** The visitor's session, or none while sessions cannot be read: a purchase does not depend on one. */
  optional: RequestHandler;
}

/** Reads and renews the session. Only for routes that need one, so that the others work while its store is unavailable. */
export function sessionGuard({ config, sessions }: Pick<ApiParts, 'config' | 'sessions'>): SessionGuard {
  const { store, idleMs, absoluteMs } = sessions;
  const read = session({
    store,
    name: sessionCookie(config),
    // Only the first secret signs, but all are accepted, so secrets can be rotated.
    secret: config.sessionSecrets,
    resave: false,
    saveUninitialized: false,
    rolling: true,
    cookie: { ...cookieOptions(config), httpOnly: true, maxAge: idleMs },
  });

  function required(req: Request, res: Response, next: NextFunction): void {
    settled((done) => read(req, res, done)).then(() => keepWithinLimits(req, res, next), next);
  }

  /** A session ends `absoluteMs` after the sign-in, even if it is in use. */
  function keepWithinLimits(req: Request, res: Response, next: NextFunction): void {
    const { userId, signedInAt = 0 } = req.session;
    if (!userId) {
      next();
      return;
    }
    const remainingMs = signedInAt + absoluteMs - Date.now();
    if (remainingMs <= 0) {
      renewSession(req).then(() => next(), next);
      return;
    }
    // Always the full lifetime: the session list derives the time of last use from the expiry.
    req.session.cookie.maxAge = idleMs;
    showHint(config, res, Math.min(idleMs, remainingMs));
    next();
  }

  return {
    required,
    optional(req, res, next) {
      // Most buyers are guests: without the cookie there is nothing to read.
      if (!req.headers.cookie?.includes(`${sessionCookie(config)}=`)) return next();
      required(req, res, (error?: unknown) => {
        if (error) req.log.warn({ err: error }, 'session unavailable; continuing as guest');
        next();
      });
    },
  };
}

/** The user who is signed in. @throws HttpError 401 */
export function requireUser(req: Request): string {
  const userId = req.session?.userId;
  if (!userId) throw notSignedIn();
  return userId;
}

export function notSignedIn(): HttpError {
  return new HttpError(401, 'You are not signed in');
}

/** Replaces the session with an empty one under a new id (session fixation). */
export function renewSession(req: Request): Promise<void> {
  return settled((done) => req.session.regenerate(done));
}

export function saveSession(req: Request): Promise<void> {
  return settled((done) => req.session.save(done));
}

/** The session store's answer. @throws Unavailable if there is none within a second */
export function fromStore<T>(answer: Promise<T>): Promise<T> {
  return within(SESSION_DEADLINE_MS, answer).catch((error: unknown) => {
    throw new Unavailable(messages.unavailable, error);
  });
}

export async function endSession(config: Config, req: Request, res: Response): Promise<void> {
  await settled((done) => req.session.destroy(done));
  res.clearCookie(sessionCookie(config), { ...cookieOptions(config), httpOnly: true });
  hideHint(config, res);
}

/** See core/session-hint.ts. */
export function showHint(config: Config, res: Response, maxAge: number): void {
  res.cookie(SESSION_HINT_COOKIE, '1', { ...cookieOptions(config), maxAge });
}

export function hideHint(config: Config, res: Response): void {
  res.clearCookie(SESSION_HINT_COOKIE, cookieOptions(config));
}

function sessionCookie(config: Config): string {
  return cookieName(config, 'session');
}

async function settled(act: (done: (error?: unknown) => void) => unknown): Promise<void> {
  const done = new Promise<void>((resolve, reject) => {
    act((error) => (error ? reject(error) : resolve()));
  });
  await fromStore(done);
}

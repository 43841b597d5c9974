import type { Request, RequestHandler, Response } from 'express';
import { deskSessionEnd, type Staff, type StaffRole, staffRoleOf } from '../../core/staff.ts';
import type { Config } from '../../infra/config.ts';
import { operatorsOnly } from '../../orders/errors.ts';
import { saveSession } from '../account/session.ts';
import { HttpError } from '../http/errors.ts';
import { countUse, tooMany } from '../http/rate-limit.ts';
import type { ApiParts } from '../parts.ts';

/** The part of a session that only staff have. Times in ms since the epoch. */
export interface StaffSession {
  credentials: string[];
  name: string;
  /** Time of the last call that was not a background request. */
  seenAt: number;
  freshUntil: number;
}

/** Set on background requests, so that an open page does not keep the session alive. */
const BACKGROUND = 'x-background';
/** Opened by the pages themselves. */
export const EVENTS_PATH = '/orders/events';
const SEEN_EVERY_MS = 30_000;

/** Lets staff pass. For everyone else the router ends here: what follows answers as if the desk did not exist. */
export function staffOnly({ config }: Pick<ApiParts, 'config'>): RequestHandler {
  return function staffOnly(req, res, next) {
    if (sessionRole(config, req)) return next();
    forgetSession(req, res);
    next('router');
  };
}

export function staffAtWork({ config, rateLimits }: Pick<ApiParts, 'config' | 'rateLimits'>): RequestHandler {
  return async function staffAtWork(req, res, next) {
    const role = sessionRole(config, req);
    const { staff, userId, signedInAt } = req.session;
    const now = Date.now();
    const endOf = ({ seenAt }: StaffSession) => deskSessionEnd({ signedInAt: signedInAt ?? 0, seenAt });
    if (!role || !staff || !userId || now >= endOf(staff)) {
      throw new HttpError(401, 'Your session at the desk has ended. Please sign in again.');
    }
    const waitSeconds = await countUse(rateLimits, 'desk', userId, res);
    if (waitSeconds > 0) throw tooMany(waitSeconds);
    const isCausedByPerson = req.path !== EVENTS_PATH && req.get(BACKGROUND) === undefined;
    if (isCausedByPerson && now - staff.seenAt > SEEN_EVERY_MS) {
      staff.seenAt = now;
      await saveSession(req);
    }
    res.locals.staff = { userId, name: staff.name, role, freshUntil: staff.freshUntil } satisfies Staff;
    res.locals.sessionEnd = endOf(staff);
    res.set('Cache-Control', 'no-store');
    next();
  };
}

/** Refuses unsafe calls without an Origin: unlike the site's calls, the desk's come from our own pages only. */
export const ownPagesOnly: RequestHandler = function ownPagesOnly(req, _res, next) {
  const isSafe = req.method === 'GET' || req.method === 'HEAD';
  // refuseCrossSite has checked the origin itself.
  if (isSafe || req.get('origin') !== undefined) return next();
  throw new HttpError(403, 'Cross-site requests are not allowed');
};

/** For operators only, with a rate limit per operator. The use cases check the role as well. */
export function operatorAction({ rateLimits }: Pick<ApiParts, 'rateLimits'>): RequestHandler {
  return async function operatorAction(_req, res, next) {
    const { role, userId } = staffOf(res);
    if (role !== 'operator') throw operatorsOnly();
    const waitSeconds = await countUse(rateLimits, 'desk-action', userId, res);
    if (waitSeconds > 0) throw tooMany(waitSeconds);
    next();
  };
}

export function staffOf(res: Response): Staff {
  return res.locals.staff as Staff;
}

/** When the session ends, unless the person does something before, ms since the epoch. */
export function sessionEndOf(res: Response): number {
  return res.locals.sessionEnd as number;
}

function sessionRole({ staff }: Config, req: Request): StaffRole | undefined {
  const known = req.session?.staff;
  return known && staffRoleOf(staff, known.credentials);
}

/** A renewed cookie would reveal that this path differs from an unknown one. */
function forgetSession(req: Request, res: Response): void {
  Object.assign(req, { session: undefined });
  res.removeHeader('Set-Cookie');
}

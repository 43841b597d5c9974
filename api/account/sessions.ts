import { createHash } from 'node:crypto';
import type { Request, Router } from 'express';
import { type SessionList, sessionPath } from '../../core/sessions.ts';
import type { UserSession } from '../../infra/user-sessions.ts';
import { NotFound } from '../http/errors.ts';
import { rateLimit } from '../http/rate-limit.ts';
import { allowOnly, noQuery } from '../http/request-guards.ts';
import { createRouter } from '../http/router.ts';
import type { ApiParts } from '../parts.ts';
import { endSession, fromStore, requireUser, type SessionGuard } from './session.ts';

export function sessionRoutes({ config, sessions, rateLimits }: ApiParts, guard: SessionGuard): Router {
  const router = createRouter();
  const limited = rateLimit(rateLimits, 'sessions', requireUser);

  router
    .route('/account/sessions')
    .get(noQuery, guard.required, limited, async (req, res) => {
      const own = await listOwn(req);
      res.set('Cache-Control', 'no-store').json(toView(own, req));
    })
    .all(allowOnly('GET'));

  router
    .route('/account/sessions/:sessionId/sign-out')
    .post(noQuery, guard.required, limited, async (req, res) => {
      const { sessionId } = sessionPath.parse(req.params);
      const own = await listOwn(req);
      const ending = own.find(({ sid }) => publicId(sid) === sessionId);
      if (!ending) throw new NotFound('Session not found');
      if (ending.sid === req.sessionID) await endSession(config, req, res);
      else await fromStore(sessions.ofUsers.end(ending));
      const remaining = own.filter((session) => session !== ending);
      res.set('Cache-Control', 'no-store').json(toView(remaining, req));
    })
    .all(allowOnly('POST'));

  router
    .route('/account/sign-out')
    .post(noQuery, guard.required, limited, async (req, res) => {
      const ended = await fromStore(sessions.ofUsers.endAll(requireUser(req)));
      await endSession(config, req, res);
      res.set('Cache-Control', 'no-store').json({ sessions: ended });
    })
    .all(allowOnly('POST'));
  return router;

  /** Leaves out ended sessions, which the store keeps a little longer. */
  async function listOwn(req: Request): Promise<UserSession[]> {
    const stored = await fromStore(sessions.ofUsers.list(requireUser(req)));
    return stored.filter(({ signedInAt }) => signedInAt + sessions.absoluteMs > Date.now());
  }

  function toView(own: UserSession[], req: Request): SessionList {
    const views = own.map(({ sid, device, signedInAt, expiresAt }) => ({
      id: publicId(sid),
      device,
      signedInAt: new Date(signedInAt).toISOString(),
      lastSeenAt: new Date(Math.min(Date.now(), expiresAt - sessions.idleMs)).toISOString(),
      isCurrent: sid === req.sessionID,
    }));
    views.sort(
      (a, b) => Number(b.isCurrent) - Number(a.isCurrent) || b.lastSeenAt.localeCompare(a.lastSeenAt),
    );
    return { sessions: views };
  }
}

/** Identifies a session in a URL without revealing its id, which would give access to it. */
function publicId(sid: string): string {
  return createHash('sha256').update(sid).digest('base64url');
}

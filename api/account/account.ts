import { Router } from 'express';
import { findCurrentUser } from '../../db/users.ts';
import type { Config } from '../../infra/config.ts';
import { HttpError } from '../http/errors.ts';
import { allowOnly, noQuery } from '../http/request-guards.ts';
import type { ApiParts } from '../parts.ts';
import { endSession, hideHint, type SessionGuard } from './session.ts';

/** GET /api/auth/user: the signed-in user, or 401. */
export function accountRoutes({ config, db }: ApiParts, guard: SessionGuard): Router {
  const router = Router();
  router
    .route('/auth/user')
    .get(noQuery, guard.required, async (req, res) => {
      res.set('Cache-Control', 'no-store');
      const { userId } = req.session;
      const user = userId && (await findCurrentUser(db, userId));
      if (user) {
        return void res.json({ ...user, profileImageUrl: showable(config, user.profileImageUrl) });
      }
      // A session without its user would fail the next purchase. A pending sign-in has no user yet, and stays.
      if (userId) await endSession(config, req, res);
      else hideHint(config, res);
      throw new HttpError(401, 'You are not signed in');
    })
    .all(allowOnly('GET'));
  return router;
}

/** A picture that the pages' security policy admits, else none: the browser would refuse it, and complain. */
function showable({ oidc }: Config, picture: string | null): string | null {
  return picture && oidc.pictureOrigins.includes(new URL(picture).origin) ? picture : null;
}

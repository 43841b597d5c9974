import type { Router } from 'express';
import { findAccount } from '../../db/account.ts';
import { findCurrentUser } from '../../db/users.ts';
import type { Config } from '../../infra/config.ts';
import { allowOnly, noQuery } from '../http/request-guards.ts';
import { createRouter } from '../http/router.ts';
import type { ApiParts } from '../parts.ts';
import { endSession, hideHint, notSignedIn, requireUser, type SessionGuard } from './session.ts';

export function accountRoutes({ config, db }: ApiParts, guard: SessionGuard): Router {
  const router = createRouter();
  router
    .route('/auth/user')
    .get(noQuery, guard.required, async (req, res) => {
      res.set('Cache-Control', 'no-store');
      const { userId } = req.session;
      const user = userId && (await findCurrentUser(db, userId));
      if (user) {
        return void res.json({ ...user, profileImageUrl: showable(config, user.profileImageUrl) });
      }
      // A session without its user would fail the next purchase.
      if (userId) await endSession(config, req, res);
      else hideHint(config, res);
      throw notSignedIn();
    })
    .all(allowOnly('GET'));

  router
    .route('/account')
    .get(noQuery, guard.required, async (req, res) => {
      const account = await findAccount(db, requireUser(req));
      if (!account) throw notSignedIn();
      res.set('Cache-Control', 'no-store').json(account);
    })
    .all(allowOnly('GET'));

  return router;
}

/** Null for a picture that the pages' security policy refuses. */
function showable({ oidc }: Config, picture: string | null): string | null {
  return picture && oidc.pictureOrigins.includes(new URL(picture).origin) ? picture : null;
}

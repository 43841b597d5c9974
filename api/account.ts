import { Router } from 'express';
import { findCurrentUser } from '../db/users.ts';
import { HttpError } from './errors.ts';
import type { ApiParts } from './parts.ts';
import { allowOnly, noQuery } from './request-guards.ts';
import { hideHint, type SessionGuard } from './session.ts';

/** GET /api/auth/user (spec §7): who is signed in; 401 means nobody. */
export function accountRoutes({ config, db }: ApiParts, guard: SessionGuard): Router {
  const router = Router();
  router
    .route('/auth/user')
    .get(noQuery, guard.required, async (req, res) => {
      res.set('Cache-Control', 'no-store');
      const { userId } = req.session;
      const user = userId && (await findCurrentUser(db, userId));
      if (user) return void res.json(user);
      hideHint(config, res);
      throw new HttpError(401, 'You are not signed in');
    })
    .all(allowOnly('GET'));
  return router;
}

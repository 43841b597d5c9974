import { Router } from 'express';
import { HttpError } from './errors.ts';
import { allowOnly, noQuery } from './request-guards.ts';

/** GET /api/auth/user (spec §7): 401 means no user. Nobody can sign in yet, so every visitor is anonymous. */
export function accountRoutes(): Router {
  const router = Router();
  router
    .route('/auth/user')
    .get(noQuery, () => {
      throw new HttpError(401, 'You are not signed in');
    })
    .all(allowOnly('GET'));
  return router;
}

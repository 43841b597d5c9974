import type { Router } from 'express';
import { enrollmentForm } from '../../core/enrollment.ts';
import { completeEnrollment, findEnrollment } from '../../db/enrollment.ts';
import { rateLimit } from '../http/rate-limit.ts';
import { allowOnly, noQuery } from '../http/request-guards.ts';
import { createRouter } from '../http/router.ts';
import type { ApiParts } from '../parts.ts';
import { notSignedIn, requireUser, type SessionGuard } from './session.ts';

/** GET and POST /api/enrollment: the signed-in user's own business information. */
export function enrollmentRoutes({ db, outbox, rateLimits }: ApiParts, guard: SessionGuard): Router {
  const router = createRouter();
  router
    .route('/enrollment')
    .get(noQuery, guard.required, async (req, res) => {
      const enrollment = await findEnrollment(db, requireUser(req));
      if (!enrollment) throw notSignedIn();
      res.set('Cache-Control', 'no-store').json(enrollment);
    })
    .post(noQuery, guard.required, rateLimit(rateLimits, 'enrollment'), async (req, res) => {
      const userId = requireUser(req);
      const form = enrollmentForm.parse(req.body);
      const saved = await outbox.transaction(req.id, (trx) => completeEnrollment(trx, userId, form));
      if (!saved) throw notSignedIn();
      res.set('Cache-Control', 'no-store').json({ enrollmentStatus: 'completed' });
    })
    .all(allowOnly('GET', 'POST'));
  return router;
}

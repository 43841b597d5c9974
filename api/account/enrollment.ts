import { Router } from 'express';
import { enrollmentForm } from '../../core/enrollment.ts';
import { queueEmails } from '../../db/emails.ts';
import { completeEnrollment, findEnrollment } from '../../db/enrollment.ts';
import { HttpError } from '../http/errors.ts';
import { rateLimit } from '../http/rate-limit.ts';
import { allowOnly, noQuery } from '../http/request-guards.ts';
import { requestId } from '../http/request-id.ts';
import type { ApiParts } from '../parts.ts';
import { requireUser, type SessionGuard } from './session.ts';

/** GET and POST /api/enrollment (spec §7): the signed-in user's own business information, and nobody else's. */
export function enrollmentRoutes({ db, outbox, rateLimits }: ApiParts, guard: SessionGuard): Router {
  const router = Router();
  router
    .route('/enrollment')
    .get(noQuery, guard.required, async (req, res) => {
      res.set('Cache-Control', 'no-store');
      const enrollment = await findEnrollment(db, requireUser(req));
      if (!enrollment) throw userIsGone();
      res.json(enrollment);
    })
    .post(noQuery, guard.required, rateLimit(rateLimits, 'enrollment'), async (req, res) => {
      const userId = requireUser(req);
      const form = enrollmentForm.parse(req.body);
      await outbox.transaction(requestId(req), async (trx) => {
        const submittedAt = await completeEnrollment(trx, userId, form);
        if (!submittedAt) throw userIsGone();
        const dedupeKey = `${userId}:${submittedAt.getTime()}`;
        await queueEmails(trx, [{ kind: 'enrollment_notice', dedupeKey, params: { userId } }]);
      });
      res.set('Cache-Control', 'no-store').json({ enrollmentStatus: 'completed' });
    })
    .all(allowOnly('GET', 'POST'));
  return router;
}

/** The session outlived its user. */
function userIsGone(): HttpError {
  return new HttpError(401, 'You are not signed in');
}

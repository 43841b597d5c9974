import type { Router } from 'express';
import { jobAction, jobPath } from '../../core/desk-actions.ts';
import { actOnJob } from '../../orders/desk-jobs.ts';
import { allowOnly, noQuery } from '../http/request-guards.ts';
import { createRouter } from '../http/router.ts';
import type { ApiParts } from '../parts.ts';
import { operatorAction, staffOf } from './staff-session.ts';

/** `/api/desk/jobs/{jobId}`: actions on a job that failed permanently. */
export function deskJobRoutes(parts: ApiParts): Router {
  const router = createRouter();
  router
    .route('/jobs/:jobId/actions')
    .post(noQuery, operatorAction(parts), async (req, res) => {
      const { jobId } = jobPath.parse(req.params);
      const wanted = jobAction.parse(req.body);
      const staff = staffOf(res);
      await actOnJob(parts, staff, { jobId, requestId: req.id, wanted });
      req.log.info({ userId: staff.userId, jobId, action: wanted.action }, 'desk action recorded');
      res.json({ queued: wanted.action === 'retry' });
    })
    .all(allowOnly('POST'));
  return router;
}

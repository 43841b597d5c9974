import type { Request, Response, Router } from 'express';
import { emailPath, plainAction, transferPath } from '../../core/desk-actions.ts';
import { type EndingName, endConcern } from '../../orders/desk-dismissals.ts';
import { allowOnly, noQuery } from '../http/request-guards.ts';
import { createRouter } from '../http/router.ts';
import type { ApiParts } from '../parts.ts';
import { operatorAction, staffOf } from './staff-session.ts';

export function deskDismissalRoutes(parts: ApiParts): Router {
  const router = createRouter();
  const operator = operatorAction(parts);

  router
    .route('/transfers/:transferId/dismiss')
    .post(noQuery, operator, (req, res) =>
      end(req, res, 'dismissTransfer', transferPath.parse(req.params).transferId),
    )
    .all(allowOnly('POST'));

  router
    .route('/emails/:emailId/dismiss')
    .post(noQuery, operator, (req, res) => end(req, res, 'dismissEmail', emailPath.parse(req.params).emailId))
    .all(allowOnly('POST'));

  router
    .route('/emails/:emailId/resend')
    .post(noQuery, operator, (req, res) => end(req, res, 'resendEmail', emailPath.parse(req.params).emailId))
    .all(allowOnly('POST'));

  return router;

  async function end(req: Request, res: Response, ending: EndingName, id: string): Promise<void> {
    const wanted = plainAction.parse(req.body);
    const staff = staffOf(res);
    await endConcern(parts, staff, { ending, id, requestId: req.id, wanted });
    req.log.info({ userId: staff.userId, action: ending, id }, 'desk action recorded');
    res.json({ queued: ending === 'resendEmail' });
  }
}

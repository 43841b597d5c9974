import type { Request, Response, Router } from 'express';
import { emailPath, plainAction, transferPath } from '../../core/desk-actions.ts';
import { dismiss } from '../../orders/desk-dismissals.ts';
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
      end(req, res, 'transfer', transferPath.parse(req.params).transferId),
    )
    .all(allowOnly('POST'));

  router
    .route('/emails/:emailId/dismiss')
    .post(noQuery, operator, (req, res) => end(req, res, 'email', emailPath.parse(req.params).emailId))
    .all(allowOnly('POST'));

  return router;

  async function end(req: Request, res: Response, kind: 'transfer' | 'email', id: string): Promise<void> {
    const wanted = plainAction.parse(req.body);
    const staff = staffOf(res);
    await dismiss(parts, staff, { kind, id, requestId: req.id, wanted });
    req.log.info({ userId: staff.userId, kind, id }, 'desk action recorded');
    res.json({ queued: false });
  }
}

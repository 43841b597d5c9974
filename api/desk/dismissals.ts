import { Router } from 'express';
import { dismissal, transferPath } from '../../core/desk-actions.ts';
import { dismissFailedTransfer } from '../../orders/desk-dismissals.ts';
import { allowOnly, noQuery } from '../http/request-guards.ts';
import { requestId } from '../http/request-id.ts';
import type { ApiParts } from '../parts.ts';
import { limitActions, requireRole, staffOf } from './staff-session.ts';

/** What staff have seen to, and is not to be listed any more. */
export function deskDismissalRoutes(parts: ApiParts): Router {
  const router = Router();
  router
    .route('/transfers/:transferId/dismiss')
    .post(noQuery, requireRole('operator'), limitActions(parts), async (req, res) => {
      const { transferId } = transferPath.parse(req.params);
      const wanted = dismissal.parse(req.body);
      const staff = staffOf(res);
      await dismissFailedTransfer(parts, staff, { transferId, requestId: requestId(req), wanted });
      req.log.info({ userId: staff.userId, transferId }, 'staff dismissed a failed transfer');
      res.json({ queued: false });
    })
    .all(allowOnly('POST'));
  return router;
}

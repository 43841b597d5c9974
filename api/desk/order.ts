import type { Router } from 'express';
import { orderAction } from '../../core/desk-actions.ts';
import { mailPath } from '../../core/desk-order.ts';
import { orderPath } from '../../core/orders.ts';
import { findEmail } from '../../db/emails.ts';
import { readOrderTimeline } from '../../db/order-timeline.ts';
import { listWaitingRefunds } from '../../db/refunds.ts';
import { composeEmail } from '../../emails/compose-email.ts';
import { actOnOrder } from '../../orders/desk-actions.ts';
import { NotFound } from '../http/errors.ts';
import { allowOnly, noQuery } from '../http/request-guards.ts';
import { createRouter } from '../http/router.ts';
import type { ApiParts } from '../parts.ts';
import { toDeskOrder } from './order-view.ts';
import { operatorAction, staffOf } from './staff-session.ts';

/** `/api/desk/orders/{orderId}`: all about one order, its e-mails, and what staff do about it. */
export function deskOrderDetailRoutes(parts: ApiParts): Router {
  const { config, db } = parts;
  const router = createRouter();

  router
    .route('/orders/:orderId')
    .get(noQuery, async (req, res) => {
      const { orderId } = orderPath.parse(req.params);
      const [found, waiting] = await Promise.all([
        readOrderTimeline(db, orderId),
        listWaitingRefunds(db, orderId),
      ]);
      if (!found) throw new NotFound('Order not found');
      res.json(toDeskOrder(config, found, waiting));
    })
    .all(allowOnly('GET'));

  router
    .route('/orders/:orderId/actions')
    .post(noQuery, operatorAction(parts), async (req, res) => {
      const { orderId } = orderPath.parse(req.params);
      const wanted = orderAction.parse(req.body);
      const staff = staffOf(res);
      await actOnOrder(parts, staff, { orderId, requestId: req.id, wanted });
      req.log.info({ userId: staff.userId, orderId, action: wanted.action }, 'desk action recorded');
      res.json({ queued: wanted.action !== 'note' });
    })
    .all(allowOnly('POST'));

  router
    .route('/orders/:orderId/emails/:emailId')
    .get(noQuery, async (req, res) => {
      const { orderId, emailId } = mailPath.parse(req.params);
      const email = await findEmail(db, emailId);
      if (email?.orderId !== orderId) throw new NotFound('E-mail not found');
      const mail = await composeEmail(parts, { ...email, messageId: email.messageId ?? '' });
      res.json({ mail: mail ? { subject: mail.subject, text: mail.text } : null });
    })
    .all(allowOnly('GET'));

  return router;
}

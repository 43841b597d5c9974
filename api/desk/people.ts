import type { Router } from 'express';
import { plainAction } from '../../core/desk-actions.ts';
import {
  type EnrollmentPage,
  enrollmentListRequest,
  type MessagePage,
  messageListRequest,
  messagePath,
  personRequest,
} from '../../core/desk-people.ts';
import { PAGE_SIZE, pageOf } from '../../core/list-page.ts';
import { listEnrollments, listMessages, readNewsletterFigures } from '../../db/desk-people.ts';
import {
  answerMessage,
  erasePersonData,
  exportPersonData,
  exportSubscribers,
} from '../../orders/desk-people.ts';
import { fromStore } from '../account/session.ts';
import { allowOnly, noQuery } from '../http/request-guards.ts';
import { createRouter } from '../http/router.ts';
import { sendCsv } from '../http/send-csv.ts';
import type { ApiParts } from '../parts.ts';
import { operatorAction, staffOf } from './staff-session.ts';

/** `/api/desk`: messages, enrollments, subscribers, and the data stored about a person. */
export function deskPeopleRoutes(parts: ApiParts): Router {
  const { db, sessions } = parts;
  const router = createRouter();
  const operator = operatorAction(parts);

  router
    .route('/messages/list')
    .post(noQuery, async (req, res) => {
      const { open, after } = messageListRequest.parse(req.body);
      res.json(messagePageOf(await listMessages(db, { open, after, limit: PAGE_SIZE + 1 })));
    })
    .all(allowOnly('POST'));

  router
    .route('/messages/:messageId/answered')
    .post(noQuery, operator, async (req, res) => {
      const { messageId } = messagePath.parse(req.params);
      const wanted = plainAction.parse(req.body);
      await answerMessage(parts, staffOf(res), { messageId, requestId: req.id, wanted });
      res.json({ queued: false });
    })
    .all(allowOnly('POST'));

  router
    .route('/enrollments/list')
    .post(noQuery, async (req, res) => {
      const { after } = enrollmentListRequest.parse(req.body);
      res.json(enrollmentPageOf(await listEnrollments(db, after, PAGE_SIZE + 1)));
    })
    .all(allowOnly('POST'));

  router
    .route('/newsletter')
    .get(noQuery, async (_req, res) => {
      res.json(await readNewsletterFigures(db));
    })
    .all(allowOnly('GET'));

  router
    .route('/newsletter/export')
    .post(noQuery, operator, async (req, res) => {
      const wanted = plainAction.parse(req.body);
      const lines = exportSubscribers(parts, staffOf(res), wanted, req.id);
      await sendCsv(res, 'newsletter.csv', lines);
    })
    .all(allowOnly('POST'));

  router
    .route('/person/export')
    .post(noQuery, operator, async (req, res) => {
      const request = personRequest.parse(req.body);
      res.json(await exportPersonData(parts, staffOf(res), request, req.id));
    })
    .all(allowOnly('POST'));

  router
    .route('/person/erase')
    .post(noQuery, operator, async (req, res) => {
      const request = personRequest.parse(req.body);
      const erased = await erasePersonData(parts, staffOf(res), request, {
        requestId: req.id,
        endSessions: (userId) => fromStore(sessions.ofUsers.endAll(userId)),
      });
      res.json(erased);
    })
    .all(allowOnly('POST'));

  return router;
}

function messagePageOf(found: Awaited<ReturnType<typeof listMessages>>): MessagePage {
  const { rows, next } = pageOf(found);
  const messages = rows.map(({ cursor: _, createdAt, answeredAt, ...message }) => ({
    ...message,
    createdAt: createdAt.toISOString(),
    answeredAt: answeredAt?.toISOString() ?? null,
  }));
  return { messages, next };
}

function enrollmentPageOf(found: Awaited<ReturnType<typeof listEnrollments>>): EnrollmentPage {
  const { rows, next } = pageOf(found);
  const enrollments = rows.map(({ cursor: _, completedAt, ...person }) => ({
    ...person,
    completedAt: completedAt.toISOString(),
  }));
  return { enrollments, next };
}

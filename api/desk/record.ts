import type { Router } from 'express';
import { type RecordPage, recordRequest } from '../../core/desk-record.ts';
import { PAGE_SIZE, pageOf } from '../../core/list-page.ts';
import { listDeskActions } from '../../db/desk-actions.ts';
import { allowOnly, noQuery } from '../http/request-guards.ts';
import { createRouter } from '../http/router.ts';
import type { ApiParts } from '../parts.ts';

/** POST /api/desk/record/list */
export function deskRecordRoutes({ db }: ApiParts): Router {
  const router = createRouter();
  router
    .route('/record/list')
    .post(noQuery, async (req, res) => {
      const { after } = recordRequest.parse(req.body);
      const { rows, next } = pageOf(await listDeskActions(db, after, PAGE_SIZE + 1));
      const actions = rows.map(({ cursor, at, ...action }) => ({
        ...action,
        id: cursor,
        at: at.toISOString(),
      }));
      res.json({ actions, next } satisfies RecordPage);
    })
    .all(allowOnly('POST'));
  return router;
}

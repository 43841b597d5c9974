import type { Router } from 'express';
import { orderExport, orderListRequest } from '../../core/desk-orders.ts';
import { readSalesWeeks } from '../../db/order-list.ts';
import { exportOrders } from '../../orders/export-orders.ts';
import { readOrderPage } from '../../orders/list-orders.ts';
import { onceClosed, openEventStream } from '../http/event-stream.ts';
import { allowExactly, allowOnly, noQuery } from '../http/request-guards.ts';
import { createRouter } from '../http/router.ts';
import { sendCsv } from '../http/send-csv.ts';
import type { ApiParts } from '../parts.ts';
import { createOrderChanges } from './order-changes.ts';
import { EVENTS_PATH, operatorAction, sessionEndOf, staffOf } from './staff-session.ts';

const WEEKS = 12;
/** A stream is closed after this time, at the latest when the session ends; reopening it checks the session. */
const streamTimes = { heartbeatMs: 20_000, maxAgeMs: 5 * 60_000 };

export function deskOrderRoutes(parts: ApiParts): Router {
  const { db, orderStream, logger } = parts;
  const router = createRouter();
  const changes = createOrderChanges(db, orderStream, logger);

  router
    .route('/orders/list')
    .post(noQuery, async (req, res) => {
      res.json(await readOrderPage(db, orderListRequest.parse(req.body)));
    })
    .all(allowOnly('POST'));

  router
    .route('/orders/export')
    .post(noQuery, operatorAction(parts), async (req, res) => {
      const wanted = orderExport.parse(req.body);
      await sendCsv(res, 'orders.csv', exportOrders(parts, staffOf(res), wanted, req.id));
    })
    .all(allowOnly('POST'));

  router
    .route(EVENTS_PATH)
    .head(allowExactly('GET'))
    .get(noQuery, (req, res) => {
      const sessionMs = sessionEndOf(res) - Date.now();
      const maxAgeMs = Math.min(streamTimes.maxAgeMs, sessionMs);
      const stream = openEventStream(req, res, { ...streamTimes, maxAgeMs });
      onceClosed(
        res,
        changes.watch((order) => stream.send('order', JSON.stringify(order))),
      );
    })
    .all(allowExactly('GET'));

  router
    .route('/weeks')
    .get(noQuery, async (_req, res) => {
      res.json({ weeks: await readSalesWeeks(db, WEEKS) });
    })
    .all(allowOnly('GET'));

  return router;
}

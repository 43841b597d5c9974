import type { Router } from 'express';
import type { TodayView } from '../../core/desk.ts';
import { paymentMethods } from '../../core/orders.ts';
import type { StaffView } from '../../core/staff.ts';
import { dashboardUrl } from '../../emails/compose/dashboards.ts';
import { readToday } from '../../orders/today.ts';
import type { SessionGuard } from '../account/session.ts';
import { allowOnly, noQuery } from '../http/request-guards.ts';
import { createRouter } from '../http/router.ts';
import type { ApiParts } from '../parts.ts';
import { deskDismissalRoutes } from './dismissals.ts';
import { deskJobRoutes } from './jobs.ts';
import { deskOrderDetailRoutes } from './order.ts';
import { deskOrderRoutes } from './orders.ts';
import { deskPeopleRoutes } from './people.ts';
import { deskRecordRoutes } from './record.ts';
import { ownPagesOnly, staffAtWork, staffOf, staffOnly } from './staff-session.ts';

/** `/api/desk`: what staff see and do. Everyone else gets a 404. */
export function deskRoutes(parts: ApiParts, guard: SessionGuard): Router {
  const desk = createRouter();
  desk.use(guard.optional, staffOnly(parts), staffAtWork(parts), ownPagesOnly);

  desk
    .route('/me')
    .get(noQuery, (_req, res) => {
      const { name, role, freshUntil } = staffOf(res);
      const isFresh = freshUntil > Date.now();
      const me: StaffView = {
        name,
        role,
        freshUntil: isFresh ? new Date(freshUntil).toISOString() : null,
        sandbox: parts.config.sandbox,
      };
      res.json(me);
    })
    .all(allowOnly('GET'));

  desk
    .route('/today')
    .get(noQuery, async (_req, res) => {
      const payouts = paymentMethods.flatMap((provider) => {
        const url = dashboardUrl(parts.config, provider, 'payout');
        return url ? [{ provider, url }] : [];
      });
      res.json({ ...(await readToday(parts)), payouts } satisfies TodayView);
    })
    .all(allowOnly('GET'));

  desk.use(deskOrderRoutes(parts));
  desk.use(deskOrderDetailRoutes(parts));
  desk.use(deskJobRoutes(parts));
  desk.use(deskDismissalRoutes(parts));
  desk.use(deskPeopleRoutes(parts));
  desk.use(deskRecordRoutes(parts));
  return createRouter().use('/desk', desk);
}

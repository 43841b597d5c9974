import type { Router } from 'express';
import { serviceKey } from '../core/services.ts';
import { findService, listServices } from '../db/services.ts';
import { NotFound } from './http/errors.ts';
import { allowOnly, noQuery } from './http/request-guards.ts';
import { createRouter } from './http/router.ts';
import type { ApiParts } from './parts.ts';

export function serviceRoutes({ db }: ApiParts): Router {
  const router = createRouter();

  router
    .route('/services')
    .get(noQuery, async (_req, res) => {
      res.json(await listServices(db));
    })
    .all(allowOnly('GET'));

  router
    .route('/services/:serviceId')
    .get(noQuery, async (req, res) => {
      const key = serviceKey.safeParse(req.params.serviceId);
      const service = key.success ? await findService(db, key.data) : undefined;
      if (!service) throw new NotFound('Service not found');
      res.json(service);
    })
    .all(allowOnly('GET'));

  return router;
}

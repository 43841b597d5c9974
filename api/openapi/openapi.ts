import type { Router } from 'express';
import { allowOnly, noQuery } from '../http/request-guards.ts';
import { createRouter } from '../http/router.ts';
import type { ApiParts } from '../parts.ts';
import { openApiDocument } from './document.ts';

/** GET /api/openapi.json: the API's own description. */
export function openApiRoutes({ config }: Pick<ApiParts, 'config'>): Router {
  const document = openApiDocument(config.publicUrl);
  const router = createRouter();
  router
    .route('/openapi.json')
    .get(noQuery, (_req, res) => {
      res.json(document);
    })
    .all(allowOnly('GET'));
  return router;
}

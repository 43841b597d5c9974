import type { Router } from 'express';
import type { SiteConfig } from '../core/site-config.ts';
import { allowOnly, noQuery } from './http/request-guards.ts';
import { createRouter } from './http/router.ts';
import type { ApiParts } from './parts.ts';

export function siteConfigRoutes({ config }: ApiParts): Router {
  const answer: SiteConfig = {
    sandbox: config.sandbox,
    stripe: { publishableKey: config.stripe.publishableKey, scriptUrl: config.stripe.scriptUrl },
    paypal: { scriptUrl: config.paypal.scriptUrl },
  };
  const router = createRouter();
  router
    .route('/config')
    .get(noQuery, (_req, res) => {
      res.json(answer);
    })
    .all(allowOnly('GET'));
  return router;
}

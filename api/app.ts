import express, { type Express, type Router } from 'express';
import { accountRoutes } from './account/account.ts';
import { enrollmentRoutes } from './account/enrollment.ts';
import { type SessionGuard, sessionGuard } from './account/session.ts';
import { sessionRoutes } from './account/sessions.ts';
import { signInRoutes } from './account/sign-in.ts';
import { contactRoutes } from './contact.ts';
import { cspReportRoutes } from './csp-report.ts';
import { deskRoutes } from './desk/desk.ts';
import { deskPages } from './desk/pages.ts';
import { healthRoutes } from './health.ts';
import { cutOffFloods } from './http/cut-off.ts';
import { closeWhileDraining } from './http/drain.ts';
import { errorHandler } from './http/error-handler.ts';
import { formPosts } from './http/form-posts.ts';
import { measureRequests } from './http/measure-requests.ts';
import { jsonBody, ownHost, refuseCrossSite, unambiguous, unknownPath } from './http/request-guards.ts';
import { requestLog } from './http/request-log.ts';
import { createRouter } from './http/router.ts';
import { securityHeaders } from './http/security-headers.ts';
import { traceRequests } from './http/trace-requests.ts';
import { trustProxies } from './http/trusted-proxy.ts';
import { newsletterFormRoutes, newsletterRoutes, oneClickUnsubscribeRoutes } from './newsletter.ts';
import { openApiRoutes } from './openapi/openapi.ts';
import { orderRoutes } from './orders.ts';
import type { ApiParts } from './parts.ts';
import { confirmPaymentRoutes } from './payments/confirm-payment.ts';
import { paymentIntentRoutes } from './payments/payment-intents.ts';
import { paypalCaptureRoutes } from './payments/paypal-captures.ts';
import { paypalOrderRoutes } from './payments/paypal-orders.ts';
import { webhookRoutes } from './payments/webhooks.ts';
import { serviceRoutes } from './services.ts';
import { siteRoutes } from './site.ts';
import { siteConfigRoutes } from './site-config.ts';

export function createApp(parts: ApiParts): Express {
  const app = express();
  app.disable('x-powered-by');
  app.set('case sensitive routing', true);
  trustProxies(app, parts.config);
  app.set('query parser', 'simple');
  app.set('etag', false);

  app.use(cutOffFloods(app.request, parts.logger));
  app.use(closeWhileDraining(parts.shutdown));
  app.use(measureRequests);
  app.use(traceRequests);
  app.use(requestLog(parts.logger));
  app.use(securityHeaders(parts.config));
  app.use(unambiguous);
  const onlyOwnHost = ownHost(parts.config);
  const guard = sessionGuard(parts);
  app.use('/api', onlyOwnHost, apiRoutes(parts, guard));
  // Health probes address a process by IP, so they come before the host check.
  app.use(healthRoutes(parts));
  app.use(onlyOwnHost);
  app.use(cspReportRoutes(parts));
  app.use(newsletterFormRoutes(parts));
  if (parts.siteFolder) app.use(deskPages(parts, guard, parts.siteFolder));
  if (parts.siteFolder) app.use(siteRoutes(parts, parts.siteFolder));
  app.use(unknownPath);
  app.use(errorHandler);
  return app;
}

function apiRoutes(parts: ApiParts, guard: SessionGuard): Router {
  const router = createRouter();
  // Before the JSON parser: webhook signatures cover the raw body.
  router.use(webhookRoutes(parts));
  router.use(oneClickUnsubscribeRoutes(parts));
  router.use(refuseCrossSite(parts.config), formPosts, ...jsonBody);
  router.use(serviceRoutes(parts));
  router.use(siteConfigRoutes(parts));
  router.use(openApiRoutes(parts));
  router.use(paymentIntentRoutes(parts, guard));
  router.use(confirmPaymentRoutes(parts));
  router.use(paypalOrderRoutes(parts, guard));
  router.use(paypalCaptureRoutes(parts));
  router.use(orderRoutes(parts));
  router.use(contactRoutes(parts));
  router.use(newsletterRoutes(parts));
  router.use(signInRoutes(parts, guard));
  router.use(accountRoutes(parts, guard));
  router.use(sessionRoutes(parts, guard));
  router.use(enrollmentRoutes(parts, guard));
  router.use(deskRoutes(parts, guard));
  router.use(unknownPath);
  return router;
}

import { Router } from 'express';
import Stripe from 'stripe';
import { browserFiles } from '../browser-files.ts';
import { EventLog } from '../event-log.ts';
import type { SandboxParts } from '../parts.ts';
import { authenticationPages } from './authentication-page.ts';
import type { StripeContext } from './context.ts';
import { stripeControls } from './controls.ts';
import { StripeEvents } from './events.ts';
import { stripeApi } from './routes.ts';
import { StripeState } from './state.ts';
import { WebhookEndpoints } from './webhook-endpoints.ts';

export function stripeSandbox(parts: SandboxParts): { router: Router; api: Router; context: StripeContext } {
  const { config, faults, behaviors, later, webhooks, stateFile, publicUrl } = parts;
  const state = new StripeState();
  const endpoints = new WebhookEndpoints(config);
  stateFile.keep('stripe', state);
  webhooks.signWith('stripe', ({ body }) => ({
    'user-agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
    'stripe-signature': Stripe.webhooks.generateTestHeaderString({
      payload: body,
      secret: config.stripe.webhookSecret,
    }),
  }));
  const events = new StripeEvents(
    new EventLog('stripe', state.events, webhooks, stateFile.touch),
    endpoints,
    behaviors,
    state,
  );
  const context: StripeContext = {
    state,
    events,
    endpoints,
    behaviors,
    later,
    publicUrl,
    touch: stateFile.touch,
  };
  const router = Router();
  const api = stripeApi(config, context, faults);
  router.use('/v1', api);
  router.use('/sandbox', stripeControls(context, webhooks));
  router.use('/authenticate', authenticationPages(context));
  router.use('/v3', browserFiles('stripe/browser', '/', 'stripe.js'));
  return { router, api, context };
}

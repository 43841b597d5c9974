import { Router } from 'express';
import { browserFiles } from '../browser-files.ts';
import { EventLog } from '../event-log.ts';
import { delay } from '../faults.ts';
import type { SandboxParts } from '../parts.ts';
import { tokenRoutes } from './access.ts';
import { applyPayPalFault, type Exchange, serverError } from './calls.ts';
import { checkoutPages } from './checkout-page.ts';
import type { PayPalContext } from './context.ts';
import { paypalControls } from './controls.ts';
import { PayPalEvents } from './events.ts';
import { paypalApi } from './routes.ts';
import { signDelivery } from './signature.ts';
import { SigningKeys } from './signing-keys.ts';
import { PayPalState } from './state.ts';
import { WebhookRegistrations } from './webhook-registrations.ts';

export interface PayPalSandbox {
  router: Router;
  context: PayPalContext;
  keys: SigningKeys;
  exchanges: Exchange[];
}

const CERT_PATH = '/v1/notifications/certs/CERT-SANDBOX-1';

export function paypalSandbox(parts: SandboxParts): PayPalSandbox {
  const { config, faults, behaviors, later, webhooks, stateFile, publicUrl } = parts;
  const { touch } = stateFile;
  const baseUrl = () => `${publicUrl()}/paypal`;
  const state = new PayPalState();
  const keys = new SigningKeys(touch);
  stateFile.keep('paypal', state);
  stateFile.keep('paypalKeys', keys);
  webhooks.signWith('paypal', (message) => {
    return signDelivery(message, config.paypal.webhookId, baseUrl() + CERT_PATH, keys);
  });
  const registrations = new WebhookRegistrations(config, baseUrl);
  const context: PayPalContext = {
    state,
    events: new PayPalEvents(
      new EventLog('paypal', state.events, webhooks, touch),
      registrations,
      behaviors,
      baseUrl,
    ),
    webhooks: registrations,
    behaviors,
    later,
    baseUrl,
    touch,
  };
  const exchanges: Exchange[] = [];

  const router = Router();
  router.use('/v1/oauth2/token', (_req, res, next) => {
    const fault = faults.consume('paypal', 'POST /v1/oauth2/token');
    if (!fault) return next();
    if (fault.mode === 'slow') return void delay(fault).then(() => next());
    return applyPayPalFault(fault, res, () => serverError(500));
  });
  router.use('/v1/oauth2/token', tokenRoutes(config, behaviors));
  router.get(CERT_PATH, (_req, res) => {
    res.type('application/x-pem-file').send(keys.chainPem);
  });
  router.use('/checkoutnow', checkoutPages(config, context));
  router.use('/sandbox', paypalControls(context, webhooks, keys));
  router.use('/web-sdk/v6', browserFiles('paypal/browser', '/core', 'core.js'));
  router.use(paypalApi(config, context, keys, faults, exchanges));
  return { router, context, keys, exchanges };
}

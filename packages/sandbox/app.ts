import http from 'node:http';
import path from 'node:path';
import express from 'express';
import { Behaviors, behaviors as catalogue } from './behaviors.ts';
import type { SandboxConfig } from './config.ts';
import { Faults } from './faults.ts';
import { sandboxCss } from './html.ts';
import { indexPage } from './index-page.ts';
import { listen as listenOn } from './listen.ts';
import { Inbox } from './mail/inbox.ts';
import { inboxRoutes } from './mail/routes.ts';
import { createSmtpServer } from './mail/smtp.ts';
import { oidcSandbox } from './oidc/mount.ts';
import { packageFolder } from './package-folder.ts';
import { type PayPalSandbox, paypalSandbox } from './paypal/mount.ts';
import { StateFile } from './state-file.ts';
import type { StripeContext } from './stripe/context.ts';
import { stripeSandbox } from './stripe/mount.ts';
import { switchRoutes } from './switch-routes.ts';
import { Timers } from './timers.ts';
import { Webhooks } from './webhooks.ts';

export interface Sandbox {
  /** Mutable: tests set `siteUrl` once they know the port of the web process. */
  config: SandboxConfig;
  faults: Faults;
  behaviors: Behaviors;
  inbox: Inbox;
  webhooks: Webhooks;
  stripe: StripeContext;
  paypal: PayPalSandbox;
  listen(): Promise<{ url: string; port: number; smtpPort: number }>;
  close(): Promise<void>;
}

/** Every stand-in in one process. It listens only after `listen()`. */
export function createSandbox(settings: SandboxConfig): Sandbox {
  const config = { ...settings };
  let port = config.port;
  let smtpPort = config.smtpPort;
  const publicUrl = () => config.publicUrl ?? `http://localhost:${port}`;

  const faults = new Faults();
  const behaviors = new Behaviors();
  const timers = new Timers();
  const stateFile = new StateFile(config.dataFile);
  const webhooks = new Webhooks(faults, () => config.siteUrl, stateFile.touch);
  const inbox = new Inbox(stateFile.touch);
  stateFile.keep('inbox', inbox);
  const parts = { config, faults, behaviors, later: timers.later, webhooks, stateFile, publicUrl };
  const stripe = stripeSandbox(parts);
  const paypal = paypalSandbox(parts);

  const app = express();
  app.set('query parser', 'extended');
  app.set('etag', false);
  app.disable('x-powered-by');
  app.get('/', (_req, res) => void res.send(indexPage(config, smtpPort)));
  app.get('/sandbox.css', (_req, res) => void res.type('css').send(sandboxCss));
  app.use('/faults', switchRoutes(faults));
  app.use('/behaviors', switchRoutes(behaviors));
  app.get('/behaviors/catalogue', (_req, res) => void res.json(catalogue));
  app.use('/inbox', inboxRoutes(inbox));
  // Rendered by scripts/build-sandbox.mjs from the product's templates.
  app.use('/emails', express.static(path.join(packageFolder, 'dist/email-previews')));
  app.use('/stripe', stripe.router);
  app.use('/paypal', paypal.router);
  app.use('/oidc', oidcSandbox(parts));
  // The official package accepts no path prefix: it calls /v1.
  app.use('/v1', stripe.api);

  const server = http.createServer({ keepAliveTimeout: 30_000 }, app);
  const smtp = createSmtpServer(inbox, faults);
  return { config, faults, behaviors, inbox, webhooks, stripe: stripe.context, paypal, listen, close };

  async function listen() {
    stateFile.keep('webhooks', webhooks);
    stateFile.load();
    port = await listenOn(server, config.port, config.host);
    smtpPort = await listenOn(smtp.server, config.smtpPort, config.host);
    return { url: publicUrl(), port, smtpPort };
  }

  async function close() {
    timers.close();
    webhooks.close();
    server.closeAllConnections();
    await Promise.all([
      new Promise((resolve) => server.close(resolve)),
      new Promise<void>((resolve) => smtp.close(() => resolve())),
    ]);
    await stateFile.close();
  }
}

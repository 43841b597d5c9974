import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { assemble, withWebParts } from '../infra/assemble.ts';
import { readConfigOrExit } from '../infra/config.ts';
import { reportConnections } from '../infra/connection-budget.ts';
import { armCrashPoint } from '../infra/crash-point.ts';
import { collectSeldom, collectWhenIdle } from '../infra/garbage-collection.ts';
import { createLogger } from '../infra/logger.ts';
import { serveOperators } from '../infra/operators.ts';
import { endGracefully } from '../infra/process.ts';
import { startTracing } from '../infra/tracing.ts';
import { observeShop } from '../orders/observe-shop.ts';
import { openGateways } from '../providers/gateways.ts';
import { createApp } from './app.ts';
import { webReadiness } from './health.ts';
import { closeServer } from './http/close-server.ts';
import { protectServer, serverOptions } from './http/http-server.ts';

const config = readConfigOrExit();
armCrashPoint(config.crashAt);
const logger = createLogger('web', config);
await startTracing(config, 'web', logger);
// The built site is beside the compiled api/; the sources serve the last build, if there is one.
const siteFolder = ['../web', '../dist/web']
  .map((folder) => path.resolve(import.meta.dirname, folder))
  .find((folder) => existsSync(path.join(folder, 'static')));

const parts = await withWebParts(assemble(config, logger, { name: 'web', openGateways }));
const app = createApp({ ...parts, siteFolder });
if (config.stripe.webhookSecrets.length === 0)
  logger.warn('Stripe webhook disabled: no STRIPE_WEBHOOK_SECRET');
if (!config.paypal.webhookId) logger.warn('PayPal webhook disabled: no PAYPAL_WEBHOOK_ID');

const server = createServer(serverOptions, app);
protectServer(server, config);
server.listen(config.port, () => logger.info({ port: config.port, queue: parts.backend.kind }, 'web ready'));
server.on('error', (error) => {
  logger.fatal({ err: error }, 'cannot listen');
  process.exit(1);
});
parts.onClose(async () => {
  // Ends the live streams, which would keep the server open.
  await parts.orderStream.close();
  await closeServer(server);
});

serveOperators(
  {
    ...parts,
    processName: 'web',
    readiness: () => webReadiness(parts),
    observe: () => observeShop(parts),
  },
  config.metrics.webPort,
);
reportConnections(parts);
collectSeldom();
collectWhenIdle();
endGracefully(parts);

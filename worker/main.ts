import { constants, setPriority } from 'node:os';
import { assemble, withMailer } from '../infra/assemble.ts';
import { readConfigOrExit } from '../infra/config.ts';
import { reportConnections } from '../infra/connection-budget.ts';
import { armCrashPoint } from '../infra/crash-point.ts';
import { collectSeldom, collectWhenIdle } from '../infra/garbage-collection.ts';
import { createLogger } from '../infra/logger.ts';
import { serveOperators } from '../infra/operators.ts';
import { endGracefully } from '../infra/process.ts';
import { requireNoEviction } from '../infra/redis-policy.ts';
import { startTracing } from '../infra/tracing.ts';
import { observeShop } from '../orders/observe-shop.ts';
import { openGateways } from '../providers/gateways.ts';
import { workerReadiness } from './health.ts';
import { startWorker } from './worker.ts';

const config = readConfigOrExit();
armCrashPoint(config.crashAt);
// E-mails leave the processors to what a buyer waits for. Threads that start later do, too.
if (!config.workerQueues.includes('payments')) setPriority(constants.priority.PRIORITY_LOW);
const logger = createLogger('worker', config);
await startTracing(config, 'worker', logger);
if (config.production && config.redisUrl) {
  await requireNoEviction(config.redisUrl, logger, (error) => {
    logger.fatal({ err: error }, 'unsafe Redis');
    process.exit(1);
  });
}

const parts = withMailer(assemble(config, logger, { name: 'worker', openGateways }));
const worker = startWorker(parts);
parts.onClose(() => worker.close());
logger.info({ queue: parts.backend.kind }, 'worker ready');

serveOperators(
  {
    ...parts,
    processName: 'worker',
    readiness: () => workerReadiness(parts),
    observe: () => observeShop(parts),
  },
  config.metrics.workerPort,
);
reportConnections(parts);
collectSeldom();
collectWhenIdle();
endGracefully({ ...parts, config: { drainMs: 0 } });

import { availableParallelism } from 'node:os';
import { freePort } from '@querywright/sandbox/listen';
import { sendAll } from './load.ts';
import { startMeasured, treeCpuMs } from './measured.ts';
import { orderRequests, signedSuccesses, storeOrders } from './orders.ts';
import { openStage, type Servers, withServers } from './stage.ts';

// Measures what additional web and worker processes contribute, and what an order costs each process and server, for
// docs/capacity.md. With fewer cores than processes they compete, so rely on the CPU times.
const ORDERS = 3_000;
const parts = ['web, ms', 'worker, ms', 'PostgreSQL, ms', 'Redis, ms'];

await withServers(async ({ postgres, redis }) => {
  console.info(`Node.js ${process.version}, ${availableParallelism()} cores, ${ORDERS} orders each\n`);
  line(['queues on', 'webs', 'workers', 'created/s', 'webhooks/s', 'paid and mailed/s', ...parts]);
  line(['---', ...Array.from({ length: 9 }, () => '---:')]);
  for (const [webs, workers] of [
    [1, 1],
    [1, 2],
    [1, 4],
    [2, 1],
    [2, 4],
  ] as const) {
    if (redis) await measure({ postgres, redis }, webs, workers);
  }
  await measure({ postgres, redis: undefined }, 1, 1);
  await measure({ postgres, redis: undefined }, 2, 2);
});

async function measure({ postgres, redis }: Servers, webCount: number, workerCount: number): Promise<void> {
  const stage = await openStage(postgres, redis);
  const ports = await Promise.all(Array.from({ length: webCount }, freePort));
  const stripePort = String(await freePort());
  const stripe = await startMeasured('bench/instant-stripe.ts', { PORT: stripePort });
  const startWebs = (env: Record<string, string>) =>
    Promise.all(
      ports.map((port) => startMeasured('dist/api/main.js', { ...stage.env, ...env, PORT: String(port) })),
    );
  const servers = () => ({ postgres: treeCpuMs(postgres.pid), redis: redis ? treeCpuMs(redis.pid) : 0 });
  const used = { web: 0, worker: 0 };

  const before = servers();
  let webs = await startWebs({ SANDBOX_PORT: stripePort });
  const creating = await spread(ports, orderRequests(ORDERS));
  used.web += sum(webs.map((web) => web.cpuMs()));
  await Promise.all([...webs, stripe].map((process) => process.stop()));
  await stage.discardWork();

  const successes = signedSuccesses(await storeOrders(stage.db, ORDERS));
  webs = await startWebs({});
  const accepting = await spread(ports, successes);
  used.web += sum(webs.map((web) => web.cpuMs()));
  const started = performance.now();
  const workers = await Promise.all(
    Array.from({ length: workerCount }, () => startMeasured('dist/worker/main.js', stage.env)),
  );
  await stage.untilDone();
  const seconds = (performance.now() - started) / 1000;
  used.worker += sum(workers.map((worker) => worker.cpuMs()));
  const after = servers();
  await Promise.all([...webs, ...workers].map((process) => process.stop()));
  await stage.close();

  const each = [used.web, used.worker, after.postgres - before.postgres, after.redis - before.redis];
  line([
    redis ? 'Redis' : 'PostgreSQL',
    webCount,
    workerCount,
    ...[creating, accepting, ORDERS / seconds].map(Math.round),
    ...each.map((ms) => (ms / ORDERS).toFixed(2)),
  ]);
}

/** Sends the requests to all ports at once. Returns how many were answered in a second. */
async function spread(ports: number[], requests: ReturnType<typeof orderRequests>): Promise<number> {
  const results = await Promise.all(
    ports.map((port, index) => {
      const share = requests.filter((_, at) => at % ports.length === index);
      return sendAll(`http://localhost:${port}`, share, Math.floor(32 / ports.length));
    }),
  );
  const failed = sum(results.map((result) => result.failed));
  // A rate that includes refusals means nothing.
  if (failed > 0) throw new Error(`${failed} requests failed`);
  return sum(results.map((result) => result.perSecond));
}

function sum(values: number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function line(cells: (string | number)[]): void {
  console.info(`| ${cells.join(' | ')} |`);
}

import express, { type Response } from 'express';
import pg from 'pg';
import { createClient } from '../db/database.ts';
import { createQueueBackend } from '../infra/queue.ts';
import { waitFor } from '../testing/wait-for.ts';

// The lower limit for webhook → paid: the pipeline's hops and commits without its work. The web process commits one row and
// adds a job; the worker commits another row, which notifies the web process, which writes to the order's event stream.
const { ROLE, PORT, DATABASE_URL = '', REDIS_URL } = process.env;
const pool = new pg.Pool({ connectionString: DATABASE_URL, max: 10 });
const queues = createQueueBackend({
  redisUrl: REDIS_URL,
  listenDatabaseUrl: DATABASE_URL,
  queuePrefix: 'bench-bare',
  onError: console.error,
});
await pool.query('create table if not exists bench_inserts (id text primary key, payload json)');
if (ROLE === 'worker') await startWorker();
else await startWeb();
console.info(`${ROLE} ready`);

async function startWorker(): Promise<void> {
  const settle = `with settled as (insert into bench_inserts values ($1, '{}') returning id)
    select pg_notify('bench_settled', id) from settled`;
  const worker = queues.openWorker(
    'payments',
    async ({ data }) => {
      await pool.query({ name: 'settle', text: settle, values: data.ids });
    },
    { concurrency: 16 },
  );
  await worker.waitUntilReady();
  process.on('SIGTERM', () => process.exit(0));
}

async function startWeb(): Promise<void> {
  const streams = new Map<string, Response>();
  const listener = createClient(DATABASE_URL, 'bench listener');
  await listener.connect();
  listener.on('notification', ({ payload = '' }) => {
    streams.get(payload)?.write(`event: status\ndata: {"id":"${payload}","status":"paid"}\n\n`);
  });
  await listener.query('listen bench_settled');
  const queue = await waitFor('the queue', async () => queues.openQueue('payments'));
  await queue.waitUntilReady();

  const app = express();
  app.disable('x-powered-by').set('etag', false);
  app.get('/api/orders/:id/events', ({ params }, res) => {
    streams.set(params.id, res);
    res.once('close', () => streams.delete(params.id));
    res.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
  });
  const insert = 'insert into bench_inserts values ($1, $2)';
  app.post('/api/webhooks/stripe', express.json(), async ({ body }, res) => {
    const { orderId } = body.data.object.metadata;
    await Promise.all([
      pool.query({ name: 'insert', text: insert, values: [body.id, body] }),
      queue.add('settle', { ids: [orderId] }, { jobId: body.id }),
    ]);
    res.json({ received: true });
  });
  const server = app.listen(Number(PORT));
  process.on('SIGTERM', () => server.close(() => process.exit(0)));
}

/** @module-tag long */
import { constants, getPriority } from 'node:os';
import { freePort } from '@querywright/sandbox/listen';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { mailsAbout, type PlacedOrder, pay, placeOrder, untilStatus } from '../testing/buyer.ts';
import type { Process } from '../testing/processes.ts';
import { request } from '../testing/request.ts';
import { type Shop, startShop } from '../testing/shop.ts';
import { startProcessFor, startWebFor } from '../testing/shop-processes.ts';
import { waitFor } from '../testing/wait-for.ts';

// Two web processes and three workers of the built product, as they are deployed; the shop in this process only
// lends its sandbox and database.

let shop: Shop;
let webs: { url: string }[];
let workers: Process[];
/** Where the first web process and the first worker serve the operators. */
let operatorPorts: { web: number; worker: number };
const processes: Process[] = [];
beforeAll(async () => {
  shop = await startShop();
  operatorPorts = { web: await freePort(), worker: await freePort() };
  // A worker serves one port higher than the setting says.
  const [ofWeb, ofWorker] = [operatorPorts.web, operatorPorts.worker - 1].map(operatorSettings);
  webs = await Promise.all([ofWeb, {}].map(startWeb));
  workers = await Promise.all(
    [ofWorker, {}, {}].map((env) => startProcessFor(shop, 'worker', { LOG_LEVEL: 'debug', ...env })),
  );
  processes.push(...workers);
}, 60_000);
afterAll(async () => {
  await Promise.all(processes.map((running) => running.stop()));
  await shop.close();
});

test('each mail is sent once, though every webhook arrives three times and any worker may send it', async () => {
  shop.sandbox.faults.add({ target: 'webhooks', mode: 'duplicate', copies: 3 });
  const orders: PlacedOrder[] = [];
  for (let count = 0; count < 12; count++) orders.push(await placeOrder(web(count)));
  await Promise.all(orders.map((order) => pay(shop, order)));
  for (const [count, order] of orders.entries()) await untilStatus(web(count + 1), order.orderId, 'paid');
  await waitFor(
    'no work is open',
    async () => (await shop.db('outbox').where({ status: 'open' })).length === 0,
  );
  shop.sandbox.faults.clear();

  for (const order of orders) {
    const mails = await mailsAbout(shop, order.orderId);
    expect(mails.map((mail) => mail.to.join()).sort()).toEqual(['ada@example.com', shop.config.mail.staff]);
  }
  const settled = workers.map((worker) => worker.output().split('order moved').length - 1);
  expect(settled.reduce((sum, count) => sum + count, 0)).toBe(orders.length);
}, 60_000);

test('each scheduled check runs once per period, though three workers poll for due ones', async () => {
  const orders: PlacedOrder[] = [];
  for (let count = 0; count < 6; count++) orders.push(await placeOrder(web(count)));
  const ids = orders.map((order) => order.orderId);

  for (const period of [1, 2]) {
    await shop
      .db('orders')
      .whereIn('id', ids)
      .update({ next_check_at: shop.db.raw('now()') });
    await everyWorkerHasLooked();
    await waitFor('the checks are done', async () =>
      (await checksOf(ids)).every(({ status }) => status === 'done'),
    );

    const runs = await checksOf(ids);
    expect(runs).toHaveLength(period * ids.length);
    const counted = await shop.db('orders').whereIn('id', ids).pluck('checks');
    expect(counted).toEqual(ids.map(() => period));
  }
});

test('web and worker show their own metrics and readiness to operators', async () => {
  const web = await scrape(operatorPorts.web);
  expect(web).toMatch(
    /^querywright_http_request_duration_seconds_count\{.*route="\/api\/create-payment-intent"/m,
  );
  expect(web).not.toContain('querywright_job_duration_seconds_count{');
  const worker = await scrape(operatorPorts.worker);
  expect(worker).toMatch(/^querywright_job_duration_seconds_count\{job_name="[\w-]+",result="done"\} \d+$/m);
  expect(worker).not.toContain('querywright_http_request_duration_seconds_count{');

  const ready = await request(`http://127.0.0.1:${operatorPorts.worker}/readyz`);
  expect(await ready.json()).toEqual({
    status: 'ready',
    missing: [],
    checks: { database: 'ok', queue: 'ok' },
  });
});

test('a worker for e-mails alone has the lowest priority on its machine, and sends them', async () => {
  const mailer = await startProcessFor(shop, 'worker', { WORKER_QUEUES: 'emails' });
  processes.push(mailer);
  const priorities = [...workers, mailer].map(({ pid }) => getPriority(pid));
  expect(priorities).toEqual([...workers.map(() => getPriority()), constants.priority.PRIORITY_LOW]);

  const payer = await startProcessFor(shop, 'worker', { WORKER_QUEUES: 'payments' });
  processes.push(payer);
  await Promise.all(workers.map((worker) => worker.stop()));
  workers = [payer, mailer];
  const order = await placeOrder(web(0));
  await pay(shop, order);
  await untilStatus(web(0), order.orderId, 'paid');
  await waitFor('both e-mails are recorded', () => mailer.output().split('e-mail sent').length === 3);
  expect(payer.output()).not.toContain('e-mail sent');
});

const METRICS_TOKEN = 'token-of-the-operators';

function operatorSettings(port: number): Record<string, string> {
  return { METRICS_PORT: String(port), METRICS_TOKEN };
}

async function scrape(port: number): Promise<string> {
  const headers = { authorization: `Bearer ${METRICS_TOKEN}` };
  return waitFor('the operators’ port answers', async () => {
    const answer = await request(`http://127.0.0.1:${port}/metrics`, { headers });
    expect(answer.status).toBe(200);
    return answer.text();
  });
}

async function startWeb(env: Record<string, string> = {}): Promise<{ url: string }> {
  const web = await startWebFor(shop, env);
  processes.push(web);
  return web;
}

function web(count: number): { url: string } {
  return webs[count % webs.length] ?? { url: '' };
}

/** Each of them has due checks enqueued at least once from now on, and found them or found them taken. */
async function everyWorkerHasLooked(): Promise<void> {
  const looks = (worker: Process) => worker.output().split('due checks enqueued').length;
  const before = workers.map(looks);
  await waitFor(
    'all workers have looked',
    () => workers.every((worker, n) => looks(worker) > (before[n] ?? 0)),
    {
      timeoutMs: 30_000,
    },
  );
}

function checksOf(ids: string[]): Promise<{ status: string }[]> {
  return shop.db('outbox').where({ job: 'reconcile-order' }).whereRaw(`payload->>'orderId' = any(?)`, [ids]);
}

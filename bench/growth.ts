import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createDatabase } from '../db/database.ts';
import { requestSubscription } from '../db/newsletter.ts';
import { readOrderStatus } from '../db/order-status.ts';
import { attachPayment, createOrder, findOrder } from '../db/orders.ts';
import { claimDueRows } from '../db/outbox.ts';
import { receiveEvent } from '../db/receive-event.ts';
import { enqueueDueChecks } from '../db/reconciliation.ts';
import { listServices } from '../db/services.ts';
import { transact } from '../db/unit-of-work.ts';
import { recordSignIn } from '../db/users.ts';
import { assemble, withMailer } from '../infra/assemble.ts';
import { readConfig } from '../infra/config.ts';
import { createLogger } from '../infra/logger.ts';
import { refreshGauges } from '../infra/metrics-gauges.ts';
import { observeShop } from '../orders/observe-shop.ts';
import { openGateways } from '../providers/gateways.ts';
import { collectJobs } from '../testing/collected-jobs.ts';
import { runOps } from '../testing/operator.ts';
import { runJob } from '../worker/run-job.ts';
import { timeDesk } from './growth-desk.ts';
import { ensureFilled, startGrowthPostgres } from './growth-fill.ts';

// Measures each hot path and each operator's command in databases of different sizes, and the ratio of the largest to the
// smallest. The databases stay in .data/growth: a later run continues where this one stopped.
const sizes = process.argv.slice(2).map(Number);
if (sizes.length === 0) sizes.push(1_000, 100_000, 10_000_000);
const REPEATS = 300;
/** Of what no buyer waits for. */
const FEW_REPEATS = 10;
/** Before each run: longer than any pace of batches, which would hide what a run takes. */
const REST_MS = 5;

/** The fastest tenth of the repeats of each path, ms: what it takes while nothing else is running. */
type Times = Map<string, number>;

interface Filled {
  databaseUrl: string;
  bytesPerOrder: number;
}

const postgres = await startGrowthPostgres();
try {
  const databases: Filled[] = [];
  for (const size of sizes) databases.push(await prepare(size));
  const inTurn = takeTurns(databases.length);
  const times = await Promise.all(
    databases.map(({ databaseUrl }, index) => timeEverything(databaseUrl, (run) => inTurn(index, run))),
  );
  print(databases, times);
} finally {
  await postgres.stop();
}

async function prepare(size: number): Promise<Filled> {
  const databaseUrl = postgres.url(await ensureFilled(postgres, size));
  const db = createDatabase(databaseUrl, { poolMax: 1 });
  const { rows } = await db.raw(
    `select sum(pg_total_relation_size(relid))::float8 as bytes from pg_stat_user_tables where schemaname = 'public'`,
  );
  await db.destroy();
  return { databaseUrl, bytesPerOrder: rows[0].bytes / size };
}

type InTurn = <T>(run: () => Promise<T>) => Promise<T>;

/** Lets each of `count` databases run once, then the next: the machine's speed varies, and all see the same of it. */
function takeTurns(count: number) {
  let next = 0;
  const waiting: (() => void)[] = [];
  return async <T>(index: number, run: () => Promise<T>): Promise<T> => {
    while (next !== index) await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await run();
    } finally {
      next = (next + 1) % count;
      for (const resume of waiting.splice(0)) resume();
    }
  };
}

async function timeEverything(databaseUrl: string, inTurn: InTurn): Promise<Times> {
  const config = readConfig({
    NODE_ENV: 'test',
    LOG_LEVEL: 'silent',
    DATABASE_URL: databaseUrl,
    QUEUE_PREFIX: 'bench',
  });
  const logger = createLogger('bench', { logLevel: 'silent' });
  const parts = withMailer(assemble(config, logger, { name: 'bench', openGateways }));
  const { db, outbox } = parts;
  const paths: Times = new Map();
  const time = async (what: string, work: (n: number) => Promise<unknown>, repeats = REPEATS) => {
    await inTurn(() => work(-1));
    const times: number[] = [];
    for (let n = 0; n < repeats; n++) {
      const took = await inTurn(async () => {
        await sleep(REST_MS);
        const started = performance.now();
        await work(n);
        return performance.now() - started;
      });
      times.push(took);
    }
    paths.set(what, times.sort((a, b) => a - b)[Math.floor(repeats / 10)] ?? Number.NaN);
  };

  const [service] = await listServices(db);
  const run = randomUUID().slice(0, 8);
  const payments: { id: string; payment: string; row?: string }[] = [];
  await time('order created', async (n) => {
    const payment = `pi_${run}_${n}`;
    const order = await createOrder(
      db,
      {
        userId: null,
        serviceId: service?.id ?? '',
        customerName: 'Ada',
        customerEmail: 'ada@example.com',
        paymentMethod: 'stripe',
        amount: service?.price ?? 0,
        idempotencyKey: randomUUID(),
        requestFingerprint: run,
        firstCheckInMs: 120_000,
      },
      run,
    );
    await attachPayment(db, order, payment);
    payments.push({ id: order.id, payment });
  });
  const inbox = collectJobs(db);
  const store = (n: number) => receiveEvent(inbox, successOf(payments[n + 1], service?.price ?? 0));
  await time('webhook stored', async (n) => {
    await store(n);
    const payment = payments[n + 1];
    const [row] = inbox.jobs.splice(0).flatMap(({ ids }) => ids);
    if (payment && row) payment.row = row;
  });
  await time('webhook repeated', store);
  await time('order settled', (n) => runJob(parts, payments[n + 1]?.row ?? ''));
  await time('success page', (n) => findOrder(db, payments[n + 1]?.id ?? ''));
  await time('stream, status read', (n) => readOrderStatus(db, payments[n + 1]?.id ?? ''));
  await time('relay, nothing due', () => claimDueRows(db, ['payments', 'emails'], 0));
  await time('due checks', () =>
    transact(db, null, (trx) => enqueueDueChecks(trx, { unsettled: 100, settled: 50, settledEveryMs: 0 })),
  );
  await time('metrics scrape', () => refreshGauges({ db, outbox, observe: () => observeShop(parts) }));
  await time('sign-in', (n) =>
    transact(db, null, (trx) =>
      recordSignIn(trx, {
        issuer: 'bench',
        subject: `${run}-${n}`,
        email: `${run}-${n}@example.com`,
        emailVerified: true,
        firstName: null,
        lastName: null,
        profileImageUrl: null,
      }),
    ),
  );
  await time('newsletter', (n) =>
    transact(db, null, (trx) => requestSubscription(trx, `${run}-${n}@example.com`)),
  );
  const orderId = payments[5]?.id ?? '';
  for (const command of [
    ['order', 'show', orderId],
    ['order', 'find', 'buyer-500@example.com'],
    ['order', 'find', `${payments[5]?.payment}`],
    ['events', 'list'],
    ['events', 'list', '--status', 'dead'],
    ['events', 'list', '--order', orderId],
    ['events', 'show', `evt_${payments[5]?.payment}`],
    ['jobs', 'failed'],
    ['emails', 'failed'],
    ['outbox', 'status'],
    ['retention', '--report'],
    ['person', 'export', 'buyer-500@example.com'],
  ]) {
    const label = `ops ${command.filter((word) => word !== orderId && !word.startsWith('evt_') && word !== payments[5]?.payment).join(' ')}`;
    await time(label, () => runOps({ workerParts: parts }, command), FEW_REPEATS);
  }
  await timeDesk(parts, orderId, (what, work) => time(what, work, FEW_REPEATS));
  await parts.close();
  return paths;
}

function successOf(order: { id: string; payment: string } | undefined, amount: number) {
  const { id: orderId = '', payment = '' } = order ?? {};
  const intent = {
    id: payment,
    object: 'payment_intent',
    status: 'succeeded',
    amount,
    amount_received: amount,
    currency: 'usd',
    latest_charge: `ch_${payment}`,
    metadata: { app: 'querywright', deployment: 'test', orderId },
  };
  const type = 'payment_intent.succeeded';
  const payload = { id: `evt_${payment}`, object: 'event', type, data: { object: intent } };
  return {
    provider: 'stripe' as const,
    eventId: payload.id,
    type,
    source: 'webhook' as const,
    payload: JSON.stringify(payload),
    requestId: payment,
  };
}

function print(databases: Filled[], times: Times[]): void {
  const line = (cells: (string | number)[]) => console.info(`| ${cells.join(' | ')} |`);
  line(['ms (fastest tenth)', ...sizes.map((size) => `${size} orders`), 'ratio']);
  line(['---', ...sizes.map(() => '---:'), '---:']);
  for (const what of times[0]?.keys() ?? []) {
    const row = times.map((paths) => paths.get(what) ?? Number.NaN);
    const [first = Number.NaN, last = Number.NaN] = [row[0], row.at(-1)];
    line([what, ...row.map((ms) => ms.toFixed(2)), (last / first).toFixed(2)]);
  }
  line(['bytes per order', ...databases.map(({ bytesPerOrder }) => Math.round(bytesPerOrder)), '']);
}

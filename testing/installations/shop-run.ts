import { once } from 'node:events';
import http from 'node:http';
import path from 'node:path';
import { freePort } from '@querywright/sandbox/listen';
import { type RunningSandbox, startSandbox } from '@querywright/sandbox/testing';
import { createDatabase } from '../../db/database.ts';
import { within } from '../../infra/deadline.ts';
import { placeOrder } from '../buyer.ts';
import { startChild } from '../child-process.ts';
import { buyEverything } from '../faults/buyers.ts';
import { findViolations } from '../faults/invariants.ts';
import { seededRandom } from '../faults/random.ts';
import { type Process, startProcess } from '../processes.ts';
import { waitFor } from '../wait-for.ts';

const ORDERS = 40;
const MAX_LIVE_MS = 5_000;
const WAIT = { timeoutMs: 60_000 };

export interface ShopRun {
  /** The database itself, for judging. */
  databaseUrl: string;
  env: Record<string, string>;
  /** Called in the middle of the purchases. */
  strike(): Promise<void>;
}

/** Buys on two web and two worker processes. Returns the problems found, those of `ops doctor` included. */
export async function runShop({ databaseUrl, env: given, strike }: ShopRun): Promise<string[]> {
  const ports = [await freePort(), await freePort()] as const;
  const url = `http://localhost:${ports[0]}`;
  const sandbox = await startSandbox({ siteUrl: url });
  const db = createDatabase(databaseUrl, { poolMax: 4, onError: () => {} });
  const env = {
    DATABASE_URL: databaseUrl,
    SANDBOX_PORT: String(sandbox.port),
    SANDBOX_SMTP_PORT: String(sandbox.smtpPort),
    LOG_LEVEL: 'info',
    ...given,
  };
  const running: Process[] = [];
  const start = async (name: 'web' | 'worker', port: number) => {
    running.push(await startProcess(name, { ...env, PORT: String(port) }));
  };
  try {
    for (const port of ports) await start('web', port);
    for (const port of ports) await start('worker', port);
    const random = seededRandom(1);
    let isStruck = false;
    const onProgress = async (share: number) => {
      if (share < 0.5 || isStruck) return;
      isStruck = true;
      await strike();
    };
    const bought = await buyEverything({ url, sandbox, orders: ORDERS, random, onProgress });
    const judge = () => findViolations({ db, sandbox, bought, withinMs: 90_000 });
    const first = await judge();
    // A problem has to last: a payment may be captured between two reads.
    const { violations, paid } = first.violations.length > 0 ? await judge() : first;
    if (paid === 0) violations.push('no order was paid');
    // Not the web process that receives the webhook.
    const liveMs = await timeLiveUpdate(url, `http://localhost:${ports[1]}`, sandbox);
    if (liveMs > MAX_LIVE_MS) violations.push(`a live update took ${liveMs} ms`);
    return [...violations, ...(await askDoctor({ ...env, PORT: String(ports[0]) }))];
  } finally {
    for (const child of running) await child.stop();
    await sandbox.close();
    await db.destroy();
  }
}

/** Returns how long after the payment a watching buyer is notified, ms. */
async function timeLiveUpdate(url: string, other: string, sandbox: RunningSandbox): Promise<number> {
  const order = await placeOrder({ url });
  // The first request to an idle process may get dead connections from its pool.
  const stream = await waitFor('the buyer watches', () => openStream(other, order.orderId), WAIT);
  const isPaid = new Promise<void>((resolve) => {
    let text = '';
    stream.setEncoding('utf8').on('data', (part: string) => {
      text += part;
      if (text.includes('"paid"')) resolve();
    });
  });
  const started = Date.now();
  await sandbox.stripeClient.paymentIntents.confirm(order.paymentIntentId, {
    payment_method: 'pm_card_visa',
  });
  await within(WAIT.timeoutMs, isPaid);
  stream.destroy();
  return Date.now() - started;
}

async function openStream(url: string, orderId: string): Promise<http.IncomingMessage | undefined> {
  const request = http.get(`${url}/api/orders/${orderId}/events`);
  const [stream] = (await once(request, 'response')) as [http.IncomingMessage];
  if (stream.statusCode === 200) return stream;
  stream.destroy();
  return undefined;
}

async function askDoctor(env: Record<string, string>): Promise<string[]> {
  const doctor = startChild(process.execPath, ['dist/ops/main.js', 'doctor', '--json'], {
    cwd: path.resolve(import.meta.dirname, '../..'),
    env: { PATH: process.env.PATH, NODE_ENV: 'test', ...env },
  });
  const ended = await waitFor('it ends', () => doctor.exited, WAIT).catch(() => false);
  if (!ended) {
    await doctor.kill();
    return [`ops doctor does not end: ${doctor.output()}`];
  }
  if (!doctor.output().startsWith('[')) return [`ops doctor: ${doctor.output()}`];
  const findings: { check: string; state: string; found: string }[] = JSON.parse(doctor.output());
  const isMiscounted = ({ check, found }: (typeof findings)[number]) =>
    check === 'connections' && !found.includes('2 web and 2 worker processes');
  return findings
    .filter((finding) => finding.state === 'problem' || isMiscounted(finding))
    .map(({ check, found }) => `ops doctor: ${check}: ${found}`);
}

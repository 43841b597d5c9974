import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { freePort } from '@querywright/sandbox/listen';
import { startSandbox } from '@querywright/sandbox/testing';
import { placeOrder } from '../buyer.ts';
import { startChild } from '../child-process.ts';
import { type Process, startProcess } from '../processes.ts';
import type { TestPostgres } from '../services/postgres.ts';
import { waitFor } from '../wait-for.ts';
import { startHaproxy } from './haproxy.ts';
import { ask, startStandby } from './standby.ts';

const WAIT = { timeoutMs: 60_000 };
const root = path.resolve(import.meta.dirname, '../..');

/**
 * An asynchronous standby is cut off, further orders are placed, the primary dies, and the standby is promoted without
 * their commits. Following the manual, every order ends up paid.
 */
export async function tryLossyFailover(folder: string, primary: TestPostgres): Promise<string[]> {
  const standby = await startStandby(folder, primary, 'asynchronous');
  const proxy = await startHaproxy(folder, [primary.url, standby.url]);
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const sandbox = await startSandbox({ siteUrl: url });
  const env = {
    DATABASE_URL: proxy.url,
    PORT: String(port),
    SANDBOX_PORT: String(sandbox.port),
    SANDBOX_SMTP_PORT: String(sandbox.smtpPort),
  };
  const running: Process[] = [];
  const isPaid = async (orderId: string) => {
    const rows = await ask(proxy.url, `select status from orders where id = '${orderId}'`).catch(() => []);
    return rows[0]?.status === 'paid';
  };
  const buy = async () => {
    const order = await waitFor('an order is taken', () => placeOrder({ url }), WAIT);
    // With the buyer's name, as the site's card form sends it.
    const method = await sandbox.stripeClient.paymentMethods.create({
      type: 'card',
      card: { number: '4242424242424242', exp_month: 12, exp_year: 2099 },
      billing_details: { name: 'Grace Hopper', email: 'grace@example.com' },
    });
    await sandbox.stripeClient.paymentIntents.confirm(order.paymentIntentId, { payment_method: method.id });
    await waitFor('it is paid', () => isPaid(order.orderId), WAIT);
    return order.orderId;
  };
  try {
    await waitFor(
      'the proxy leads to the primary',
      async () => (await ask(proxy.url, 'select 1')).length > 0,
    );
    for (const name of ['web', 'worker'] as const) running.push(await startProcess(name, env));
    const before = await buy();
    await waitFor('the standby has it', async () => (await idsOn(standby.url)).includes(before));
    await cutOff(primary);
    const lost = [await buy(), await buy()];
    await primary.stop();
    await standby.promote();
    const after = await buy();
    if ((await idsOn(standby.url)).some((id) => lost.includes(id)))
      return ['no order was lost, so nothing was tested'];
    await followManual({ PATH: process.env.PATH, NODE_ENV: 'test', ...env });
    for (const orderId of [before, ...lost, after])
      await waitFor(`${orderId} is paid`, () => isPaid(orderId), WAIT);
    return [];
  } finally {
    for (const child of running) await child.stop();
    await sandbox.close();
    await proxy.stop();
    await standby.stop();
  }
}

/** Runs the commands that the check names until it finds nothing. */
async function followManual(env: NodeJS.ProcessEnv): Promise<void> {
  const ops = async (command: string) => {
    const program = `exec "$0" dist/ops/main.js ${command}`;
    const child = startChild('sh', ['-c', program, process.execPath], { cwd: root, env });
    return { status: await child.untilExit(), output: child.output() };
  };
  const backfill = await ops('events backfill --since 1h --yes');
  if (backfill.status !== 0) throw new Error(`backfill: ${backfill.output}`);
  for (let round = 0; round < 5; round++) {
    const check = await ops('restore check --since 1h --json');
    if (check.status === 0) return;
    const findings: { check: string; found: string; action?: string }[] = JSON.parse(check.output);
    for (const { check: about, found, action = '' } of findings) {
      const [, command] = /^ops (.*?)(?:[;,]|$)/.exec(action) ?? [];
      if (!command) throw new Error(`nothing to do about ${about}: ${found}`);
      const { status, output } = await ops(`${command} --yes`);
      console.info(`  ${about}: ${found}\n    ops ${command}: ${status === 0 ? 'done' : output}`);
    }
  }
  throw new Error('the check still finds problems');
}

async function idsOn(url: string): Promise<string[]> {
  return (await ask(url, 'select id from orders')).map(({ id }) => String(id));
}

async function cutOff(primary: TestPostgres): Promise<void> {
  const file = path.join(primary.folder, 'pg_hba.conf');
  writeFileSync(file, `host replication all all reject\n${readFileSync(file, 'utf8')}`);
  await ask(primary.url, 'select pg_reload_conf()');
  await waitFor('no standby is connected', async () => {
    await ask(primary.url, 'select pg_terminate_backend(pid) from pg_stat_replication');
    return (await ask(primary.url, 'select pid from pg_stat_replication')).length === 0;
  });
}

import type { Accepting } from './accepting.ts';
import { IDLE_MS, type Paying } from './paying.ts';
import type { Percentiles } from './percentiles.ts';
import type { Settling } from './settling.ts';

/** Prints the table of one backend for the README. */
export function report(
  backend: 'PostgreSQL' | 'Redis',
  accepting: Accepting,
  settling: Settling,
  paying: Paying & { webReadyMs: number },
): void {
  const { webhooks, orders, insertLimit, callLimit } = accepting;
  const { unloaded, hops, oneWorker, twoWorkers, memory, memoryLater } = paying;
  console.info(`\n### BullMQ on ${backend}\n`);
  console.info('| | measured | limit | share |\n|---|---:|---:|---:|');
  rate('webhooks accepted/s', webhooks.perSecond, insertLimit.perSecond);
  rate('orders created/s (instant provider)', orders.perSecond, insertLimit.perSecond);
  rate('… beside one INSERT and one call of the SDK', orders.perSecond, callLimit.perSecond);
  rate('orders settled/s', settling.settled, settling.noOp);
  rate('… beside no-op jobs that add two jobs each', settling.settled, settling.withFollowUps);
  rate('… and commit one row', settling.settled, settling.committing);
  row('webhook → paid on the event stream, ms (p50 / p95 / p99)', triple(unloaded), triple(hops));
  for (const [name, { capacity, ...loaded }] of [
    ['at half of the capacity', oneWorker],
    ['with a worker for payments and one for e-mails, at half of theirs', twoWorkers],
  ] as const) {
    row(`… ${name} (${Math.round(capacity / 2)} orders/s)`, triple(loaded));
  }
  row('mails sent/s', Math.round(paying.mails));
  row('orders paid and mailed/s, their webhooks included', Math.round(paying.paidAndMailed));
  row('… and each watched on its event stream', Math.round(oneWorker.capacity));
  row(
    'memory of web / worker at the end of the load, MiB',
    pair(Math.max(accepting.residentMiB, memory.web), memory.worker),
  );
  row(`… ${IDLE_MS / 1000} s later, MiB`, pair(memoryLater.web, memoryLater.worker));
  const cpu = [accepting.orderCpu, accepting.webhookCpu, settling.cpu, 2 * paying.mailCpu];
  row(
    'CPU per order, ms (create + webhook + settle + two mails)',
    cpu.map((ms) => ms.toFixed(1)).join(' + '),
  );
  row('start to ready, ms (web / worker)', pair(paying.webReadyMs, paying.workerReadyMs));
  const requests = [webhooks, orders, insertLimit, callLimit];
  const failed = requests.reduce((sum, sent) => sum + sent.failed, paying.failed);
  console.info(`\nwebhook p99 ${webhooks.p99Ms} ms; failed requests: ${failed}`);
  // A rate that includes refusals means nothing.
  if (failed > 0) process.exitCode = 1;
}

function rate(name: string, value: number, limit: number): void {
  row(name, Math.round(value), Math.round(limit), `${Math.round((100 * value) / limit)} %`);
}

function row(name: string, value: string | number, limit: string | number = '', share = ''): void {
  console.info(`| ${name} | ${value} | ${limit} | ${share} |`);
}

function triple({ p50, p95, p99 }: Percentiles): string {
  return [p50, p95, p99].map((ms) => ms.toFixed(1)).join(' / ');
}

function pair(web: number, worker: number): string {
  return `${Math.round(web)} / ${Math.round(worker)}`;
}

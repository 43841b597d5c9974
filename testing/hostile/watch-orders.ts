import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { auditOrder } from '../buyer.ts';
import type { Memory, Stage } from '../fuzz/stage.ts';
import { waitFor } from '../wait-for.ts';
import type { Attacker, HonestCallers, Measured } from './hire.ts';
import type { Sighting } from './watchers.ts';

export interface Watched {
  watchers: number;
  refused: number;
  /** For each change of an order's status, the time until the last watcher received it. */
  slowestMs: number;
  missing: number;
  quiet: Measured;
  attacked: Measured;
  before: Memory;
  during: Memory;
}

const PER_ORDER = 50;
const CHANGE_EVERY_MS = 100;

/** Opens event streams and changes each watched order's status once, with honest callers beside them. */
export async function watchOrders(
  stage: Stage,
  { attacker, honest }: { attacker: Attacker; honest: HonestCallers },
  watchers: number,
  quietly: () => Promise<Measured>,
): Promise<Watched> {
  const orders = await storeOrders(stage, watchers / PER_ORDER);
  const quiet = await quietly();
  const before = await stage.measureMemory('web');
  const sightings: (Sighting & { at: number })[] = [];
  attacker.watch({ orders, watchers }, (sighting) => sightings.push({ ...sighting, at: Date.now() }));
  const opened = await waitFor('the streams are open', () => sightings.find((one) => 'open' in one), {
    timeoutMs: 60_000,
  });
  const reached = (orderId: string, status: string) =>
    sightings.find((one) => 'status' in one && one.orderId === orderId && one.status === status);
  await waitFor('the first status everywhere', () => orders.every((id) => reached(id, 'pending')));
  const during = await stage.measureMemory('web');

  const { result: delays, seen } = await honest.during(changeEach(stage, orders, reached));
  return {
    watchers,
    refused: 'refused' in opened ? opened.refused : 0,
    slowestMs: Math.max(...delays),
    missing: orders.length - delays.length,
    quiet,
    attacked: seen,
    before,
    during,
  };
}

/** Changes the status of each order. Returns the time until the last watcher received it, in ms, if all did. */
async function changeEach(
  stage: Stage,
  orders: string[],
  reached: (orderId: string, status: string) => { at: number } | undefined,
): Promise<number[]> {
  const delays: number[] = [];
  for (const id of orders) {
    await stage.db('orders').where({ id }).update({ status: 'processing' });
    const start = Date.now();
    await stage.db.raw('select pg_notify(?, ?)', ['order_changed', id]);
    const seen = await waitFor('the change', () => reached(id, 'processing'), { everyMs: 2 }).catch(
      () => undefined,
    );
    if (seen) delays.push(seen.at - start);
    await sleep(CHANGE_EVERY_MS);
  }
  return delays;
}

async function storeOrders(stage: Stage, count: number): Promise<string[]> {
  const service = await stage.db('services').first('id');
  const ids = Array.from({ length: count }, () => randomUUID());
  const rows = ids.map((id) => ({
    id,
    service_id: service.id,
    customer_name: auditOrder.customerName,
    customer_email: auditOrder.customerEmail,
    payment_method: 'stripe',
    amount: auditOrder.amount,
  }));
  await stage.db('orders').insert(rows);
  return ids;
}

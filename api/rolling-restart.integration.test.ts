/** @module-tag long */
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '@querywright/sandbox/listen';
import { afterAll, expect, test } from 'vitest';
import { placeOrder, readOrder, untilStatus } from '../testing/buyer.ts';
import type { Process, ProcessName } from '../testing/processes.ts';
import { type LoadBalancer, startLoadBalancer } from '../testing/services/load-balancer.ts';
import { withShop } from '../testing/shop.ts';
import { startProcessFor } from '../testing/shop-processes.ts';
import { deliver, succeededEvent } from '../testing/stripe-events.ts';
import { waitFor } from '../testing/wait-for.ts';

const shop = await withShop();
const started: Process[] = [];
afterAll(async () => {
  await Promise.all(started.map((running) => running.kill()));
});
const ROUNDS = 2;
const BUYERS = 3;
/** How often a buyer's page asks for the order, and the pause before each time. */
const LOOKS = 8;
const PAUSE_MS = 100;

test('a rolling restart behind a load balancer without retries loses no request and no order', async () => {
  const ports = [await freePort(), await freePort()];
  const webs = await Promise.all(ports.map((port) => start('web', port)));
  const workers = [await start('worker'), await start('worker')];
  const balancer = await startLoadBalancer(ports);
  await waitFor('both are ready', () => balancer.ready().length === 2);

  let isOver = false;
  const buyers = Array.from({ length: BUYERS }, () => buyUntil(balancer, () => isOver));
  for (let round = 0; round < ROUNDS; round++) {
    for (const [index, port] of ports.entries()) {
      expect(await webs[index]?.stop()).toBe(0);
      webs[index] = await start('web', port);
      await waitFor('it is ready again', () => balancer.ready().includes(port));
    }
    for (const index of workers.keys()) {
      expect(await workers[index]?.stop()).toBe(0);
      workers[index] = await start('worker');
    }
  }
  isOver = true;
  const bought = await Promise.all(buyers);
  expect(balancer.lost).toEqual([]);
  expect(bought.flatMap(({ failures }) => failures)).toEqual([]);
  const orders = bought.flatMap(({ orderIds }) => orderIds);
  expect(orders.length).toBeGreaterThan(ROUNDS * ports.length);
  for (const orderId of orders) await untilStatus(shop, orderId, 'paid');

  await balancer.close();
}, 600_000);

async function start(name: ProcessName, port = 0): Promise<Process> {
  const env = { DRAIN_SECONDS: '2', ...(port ? { PORT: String(port) } : {}) };
  const running = await startProcessFor(shop, name, env);
  started.push(running);
  return running;
}

/** Buys one order after the other, and looks at each for a while. Every call has to succeed at the first try. */
async function buyUntil(balancer: LoadBalancer, isOver: () => boolean) {
  const orderIds: string[] = [];
  const failures: unknown[] = [];
  while (!isOver()) {
    try {
      const order = await placeOrder(balancer);
      orderIds.push(order.orderId);
      expect((await deliver(balancer, succeededEvent(order))).status).toBe(200);
      for (let look = 0; look < LOOKS; look++) {
        await sleep(PAUSE_MS);
        expect((await readOrder(balancer, order.orderId)).id).toBe(order.orderId);
      }
    } catch (error) {
      failures.push(error);
      await sleep(PAUSE_MS);
    }
  }
  return { orderIds, failures };
}

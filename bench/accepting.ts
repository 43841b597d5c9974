import { freePort } from '@querywright/sandbox/listen';
import { type Request, sendAll, type Throughput, together } from './load.ts';
import { startMeasured } from './measured.ts';
import { orderRequests, signedSuccesses, storeOrders } from './orders.ts';
import type { Stage } from './stage.ts';
import { TURNS } from './turns.ts';

const WEBHOOKS = 10_000;
const ORDERS = 5_000;

/** What a web process accepts per second, and what Express 5 with one INSERT does. CPU is the web process's, ms each. */
export interface Accepting {
  webhooks: Throughput;
  insertLimit: Throughput;
  webhookCpu: number;
  orders: Throughput;
  /** With one call of the provider's SDK. */
  callLimit: Throughput;
  orderCpu: number;
  /** After the webhooks. */
  residentMiB: number;
}

export async function measureAccepting(stage: Stage): Promise<Accepting> {
  return { ...(await measureWebhooks(stage)), ...(await measureOrders(stage)) };
}

async function measureWebhooks({ db, env, port, url, discardWork, vacuum }: Stage) {
  const insert = await startInsert(env);
  const web = await startMeasured('dist/api/main.js', { ...env, PORT: String(port) });
  const inserted: Throughput[] = [];
  const accepted: Throughput[] = [];
  web.cpuMs();
  for (let turn = 0; turn < TURNS; turn++) {
    const requests = signedSuccesses(await storeOrders(db, WEBHOOKS));
    inserted.push(await insert.store(requests));
    accepted.push(await sendAll(url, requests));
    await discardWork();
    await vacuum();
  }
  const webhookCpu = web.cpuMs() / (TURNS * WEBHOOKS);
  const residentMiB = web.residentMiB();
  await Promise.all([web.stop(), insert.stop()]);
  return { webhooks: together(accepted), insertLimit: together(inserted), webhookCpu, residentMiB };
}

async function measureOrders({ env, port, url }: Stage) {
  const stripePort = String(await freePort());
  const instant = await startMeasured('bench/instant-stripe.ts', { PORT: stripePort });
  const calling = await startInsert({ ...env, STRIPE_PORT: stripePort });
  const web = await startMeasured('dist/api/main.js', {
    ...env,
    PORT: String(port),
    SANDBOX_PORT: stripePort,
  });
  const called: Throughput[] = [];
  const placed: Throughput[] = [];
  for (let turn = 0; turn < TURNS; turn++) {
    called.push(await calling.store(orderRequests(ORDERS)));
    placed.push(await sendAll(url, orderRequests(ORDERS)));
  }
  const orderCpu = web.cpuMs() / (TURNS * ORDERS);
  await Promise.all([web.stop(), calling.stop(), instant.stop()]);
  return { orders: together(placed), callLimit: together(called), orderCpu };
}

/** An Express server that only stores its requests. */
async function startInsert(env: Record<string, string>) {
  const port = String(await freePort());
  const { stop } = await startMeasured('bench/insert-server.ts', { ...env, PORT: port });
  const store = (requests: Request[]) =>
    sendAll(
      `http://localhost:${port}`,
      requests.map((request) => ({ ...request, path: '/' })),
    );
  return { store, stop };
}

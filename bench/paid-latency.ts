import { once } from 'node:events';
import { Agent, type ClientRequest, type IncomingMessage, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Request } from './load.ts';
import { type Percentiles, percentiles } from './percentiles.ts';

interface PendingOrder {
  id: string;
  success: Request;
}

/** Milliseconds from sending the webhook to 'paid' on the order's event stream: one order at a time, each after `rest`. */
export async function paidLatency(
  url: string,
  orders: PendingOrder[],
  rest: () => Promise<unknown>,
): Promise<Percentiles> {
  const times: number[] = [];
  for (const order of orders) {
    await rest();
    times.push(await timePayment(url, order));
  }
  return percentiles(times);
}

/** Pays the orders as fast as they are paid, `atOnce` at a time, each watched on its event stream. */
export async function payAll(url: string, orders: PendingOrder[], atOnce: number): Promise<void> {
  const left = [...orders];
  const payNext = async () => {
    for (let order = left.pop(); order; order = left.pop()) await timePayment(url, order);
  };
  await Promise.all(Array.from({ length: atOnce }, payNext));
}

/** The same while this many webhooks arrive per second, however long each takes. */
export async function paidLatencyAt(
  url: string,
  orders: PendingOrder[],
  perSecond: number,
): Promise<Percentiles> {
  const paid = orders.map(async (order, index) => {
    await sleep((index * 1_000) / perSecond);
    return timePayment(url, order);
  });
  return percentiles(await Promise.all(paid));
}

async function timePayment(url: string, { id, success }: PendingOrder): Promise<number> {
  const stream = await watch(`${url}/api/orders/${id}/events`);
  const paid = untilPaid(stream);
  const started = performance.now();
  await post(`${url}${success.path}`, success);
  await paid;
  const took = performance.now() - started;
  stream.destroy();
  return took;
}

/** `fetch` would take more processor time than the pipeline's web process. */
const agent = new Agent({ keepAlive: true });

async function watch(url: string): Promise<IncomingMessage> {
  // One address may watch fewer orders than a loaded pipeline has under way.
  const stream = await answerOf(request(url, { headers: { 'x-forwarded-for': anAddress() } }).end());
  if (stream.statusCode !== 200) throw new Error(`The event stream answered ${stream.statusCode}`);
  return stream.setEncoding('utf8');
}

async function post(url: string, { headers, body }: Request): Promise<void> {
  const answer = await answerOf(request(url, { method: 'POST', agent, headers }).end(body));
  answer.resume();
}

async function answerOf(sent: ClientRequest): Promise<IncomingMessage> {
  const [answer] = await once(sent, 'response');
  return answer;
}

function anAddress(): string {
  return [10, ...Array.from({ length: 3 }, () => Math.floor(256 * Math.random()))].join('.');
}

async function untilPaid(stream: IncomingMessage): Promise<void> {
  let text = '';
  for await (const chunk of stream) {
    text += chunk;
    if (text.includes('"status":"paid"')) return;
  }
}

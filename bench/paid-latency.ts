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
  const leave = new AbortController();
  const stream = await fetch(`${url}/api/orders/${id}/events`, { signal: leave.signal });
  const paid = untilPaid(stream);
  const started = performance.now();
  await fetch(`${url}${success.path}`, { method: 'POST', headers: success.headers, body: success.body });
  await paid;
  leave.abort();
  return performance.now() - started;
}

async function untilPaid(stream: Response): Promise<void> {
  let text = '';
  for await (const chunk of stream.body ?? []) {
    text += Buffer.from(chunk).toString();
    if (text.includes('"status":"paid"')) return;
  }
}

import type { Request } from './load.ts';
import { type Percentiles, percentiles } from './percentiles.ts';

/** Milliseconds from sending the webhook to 'paid' on the order's event stream, one order at a time. */
export async function paidLatency(
  url: string,
  orders: { id: string; success: Request }[],
): Promise<Percentiles> {
  const times: number[] = [];
  for (const { id, success } of orders) {
    const leave = new AbortController();
    const stream = await fetch(`${url}/api/orders/${id}/events`, { signal: leave.signal });
    const paid = untilPaid(stream);
    const started = performance.now();
    await fetch(`${url}${success.path}`, { method: 'POST', headers: success.headers, body: success.body });
    await paid;
    times.push(performance.now() - started);
    leave.abort();
  }
  return percentiles(times);
}

async function untilPaid(stream: Response): Promise<void> {
  let text = '';
  for await (const chunk of stream.body ?? []) {
    text += Buffer.from(chunk).toString();
    if (text.includes('"status":"paid"')) return;
  }
}

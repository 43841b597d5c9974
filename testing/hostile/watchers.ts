import { once } from 'node:events';
import http from 'node:http';
import type { WatchAssignment } from './assignment.ts';

/** The watchers' reports: all streams are open, or a change has reached the last watcher of its order. */
export type Sighting =
  | { open: number; refused: number }
  | { status: string; orderId: string; watchers: number };

/** Opens the streams, then reports each status once the last watcher of its order has received it. */
export async function watch({ url, orders, watchers }: WatchAssignment & { url: string }): Promise<void> {
  const agent = new http.Agent({ maxSockets: Number.POSITIVE_INFINITY });
  const perOrder = watchers / orders.length;
  const seen = new Map<string, number>();
  let refused = 0;

  const see = (orderId: string, status: string) => {
    const key = `${orderId} ${status}`;
    const count = (seen.get(key) ?? 0) + 1;
    seen.set(key, count);
    if (count === perOrder) process.send?.({ orderId, status, watchers: count } satisfies Sighting);
  };

  const open = async (n: number) => {
    const orderId = orders[n % orders.length] ?? '';
    const { hostname, port } = new URL(url);
    const call = http.get({
      hostname,
      port,
      path: `/api/orders/${orderId}/events`,
      agent,
      headers: { 'x-forwarded-for': `10.99.${Math.floor(n / 40)}.1` },
    });
    call.on('error', () => {});
    const [answer] = (await once(call, 'response')) as [http.IncomingMessage];
    if (answer.statusCode !== 200) refused++;
    answer.setEncoding('utf8').on('data', (text: string) => {
      for (const [, status] of text.matchAll(/"status":"(\w+)"/g)) see(orderId, status ?? '');
    });
    answer.on('error', () => {});
  };

  for (let opened = 0; opened < watchers; opened += 50) {
    await Promise.all(Array.from({ length: Math.min(50, watchers - opened) }, (_, n) => open(opened + n)));
  }
  process.send?.({ open: watchers - refused, refused } satisfies Sighting);
}

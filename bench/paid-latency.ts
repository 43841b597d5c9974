import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
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
  const stream = await watch(url, `/api/orders/${id}/events`);
  const paid = untilReceived(stream, '"status":"paid"');
  const started = performance.now();
  await post(url, success);
  await paid;
  const took = performance.now() - started;
  stream.destroy();
  return took;
}

// Plain sockets: an HTTP client would take as much processor time as the pipeline's web process.

/** Connections without a request, and where they lead. */
const idle = new Map<Socket, string>();

async function watch(url: string, path: string): Promise<Socket> {
  const stream = await open(url);
  // One address may watch fewer orders than a loaded pipeline has under way.
  stream.write(
    `GET ${path} HTTP/1.1\r\nHost: ${new URL(url).host}\r\nX-Forwarded-For: ${anAddress()}\r\n\r\n`,
  );
  const answer = await untilReceived(stream, '\r\n\r\n');
  if (!answer.startsWith('HTTP/1.1 200 ')) throw new Error(`The event stream answered ${answer}`);
  return stream;
}

async function post(url: string, { path, headers, body }: Request): Promise<void> {
  const [known] = [...idle].find(([, origin]) => origin === url) ?? [];
  const socket = known ?? (await open(url));
  idle.delete(socket);
  const all = { ...headers, host: new URL(url).host, 'content-length': Buffer.byteLength(body) };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`);
  const answer = await untilReceived(socket, '}');
  if (!answer.startsWith('HTTP/1.1 200 ')) throw new Error(`The webhook was answered ${answer}`);
  idle.set(socket, url);
}

async function open(url: string): Promise<Socket> {
  // An address: looking up a name takes another thread.
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
    .setNoDelay()
    .setEncoding('latin1');
  await once(socket, 'connect');
  // 'end' comes first: the server closes a connection that was idle for long.
  for (const event of ['end', 'close']) socket.once(event, () => idle.delete(socket));
  return socket;
}

/** What the socket receives up to and including `end`. @throws if it is closed before */
function untilReceived(socket: Socket, end: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const onData = (chunk: string) => {
      text += chunk;
      if (!text.includes(end)) return;
      socket.off('data', onData).off('close', onClose);
      resolve(text);
    };
    const onClose = () => reject(new Error(`The connection was closed after: ${text}`));
    socket.on('data', onData).on('close', onClose);
  });
}

function anAddress(): string {
  return [10, ...Array.from({ length: 3 }, () => Math.floor(256 * Math.random()))].join('.');
}

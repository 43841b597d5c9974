import { randomUUID } from 'node:crypto';
import http from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { auditOrder } from '../buyer.ts';
import { event, sign } from '../stripe-events.ts';
import type { Measured } from './hire.ts';

// A separate process, so that honest callers wait for the site only, and not for the stand-ins for the providers.

const [url = ''] = process.argv.slice(2);
let isOver = false;

process.on('message', async (message: 'start' | 'stop') => {
  isOver = message === 'stop';
  if (!isOver) process.send?.(await measure());
});

const EVERY_MS = 20;
const agent = new http.Agent({ keepAlive: true, maxSockets: 64 });

/** Visitors, buyers and Stripe, each from a separate address, 50 requests a second until `isOver`. */
async function measure(): Promise<Measured> {
  const times: number[] = [];
  const failures: string[] = [];
  const running: Promise<void>[] = [];
  for (let n = 0; !isOver; n++) {
    running.push(
      ask(requestOf(n)).then(({ what, status, ms }) => {
        times.push(ms);
        if (status < 200 || status >= 400) failures.push(`${what}: ${status}`);
      }),
    );
    await sleep(EVERY_MS);
  }
  await Promise.all(running);
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
  return { requests: times.length, failures, p50Ms: at(0.5), p99Ms: at(0.99) };
}

interface Ask {
  method: string;
  path: string;
  headers?: Record<string, string>;
  body?: string;
}

let callers = 0;

/** Of 25 requests ten are from Stripe or for pages, and one is an order. */
function requestOf(n: number): Ask {
  const json = { 'content-type': 'application/json' };
  if (n % 25 === 2) {
    return {
      method: 'POST',
      path: '/api/create-payment-intent',
      headers: { ...json, 'idempotency-key': randomUUID() },
      body: JSON.stringify({ ...auditOrder, customerEmail: `${randomUUID()}@honest.example` }),
    };
  }
  if (n % 5 === 0) return { method: 'GET', path: '/' };
  if (n % 5 > 1) return { method: 'GET', path: '/api/services' };
  const body = JSON.stringify(event('customer.created', { id: 'cus_1', object: 'customer' }));
  const headers = { ...json, 'stripe-signature': sign(body) };
  return { method: 'POST', path: '/api/webhooks/stripe', headers, body };
}

function ask({ method, path, headers, body }: Ask) {
  const { hostname, port } = new URL(url);
  const caller = callers++;
  const address = `203.${caller % 200}.${Math.floor(caller / 200) % 250}.7`;
  const start = performance.now();
  return new Promise<{ what: string; status: number; ms: number }>((resolve) => {
    const finish = (status: number) =>
      resolve({ what: `${method} ${path}`, status, ms: performance.now() - start });
    const call = http.request(
      { hostname, port, method, path, agent, headers: { ...headers, 'x-forwarded-for': address } },
      (answer) => {
        // An answer that is cut off does not end, but closes.
        answer.resume().once('close', () => finish(answer.complete ? (answer.statusCode ?? 0) : 0));
      },
    );
    call.setTimeout(10_000, () => call.destroy());
    call.on('error', () => finish(0));
    call.end(body);
  });
}

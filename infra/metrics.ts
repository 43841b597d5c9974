import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client';
import type { EmailKind } from '../core/emails.ts';
import type { JobName } from '../core/jobs.ts';
import type { PaymentMethod } from '../core/orders.ts';

/** What this process counts; the operators' port shows it (docs/operations.md says what each means). */
export const registry = new Registry();
const registers = [registry];

const httpDurations = new Histogram({
  name: 'querywright_http_request_duration_seconds',
  help: 'Time to answer, by route pattern',
  labelNames: ['method', 'route', 'status'],
  buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  registers,
});
const webhooks = new Counter({
  name: 'querywright_webhooks_total',
  help: 'Webhook calls: stored, repeated, refused (not signed by the provider), off (no secret set) or failed',
  labelNames: ['provider', 'result'],
  registers,
});
const orderMoves = new Counter({
  name: 'querywright_order_moves_total',
  help: 'Committed moves of orders, and who moved them',
  labelNames: ['from', 'to', 'cause'],
  registers,
});
const jobDurations = new Histogram({
  name: 'querywright_job_duration_seconds',
  help: 'Runs of jobs: done, failed (runs again) or given_up (waits for an operator)',
  labelNames: ['job', 'result'],
  buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
  registers,
});
const emails = new Counter({
  name: 'querywright_emails_total',
  help: 'Mails: sent, refused for good, failed (tried again) or dropped as pointless',
  labelNames: ['kind', 'result'],
  registers,
});
const providerCalls = new Histogram({
  name: 'querywright_provider_call_duration_seconds',
  help: 'Single calls to providers, retries counted each; result is the class of the status, or error without an answer',
  labelNames: ['provider', 'operation', 'result'],
  buckets: [0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 4, 8],
  registers,
});

/** Also memory, garbage collection and event loop delay: for a process that shows its metrics. */
export function collectProcessMetrics(): void {
  if (collecting) return;
  collecting = true;
  collectDefaultMetrics({ register: registry, prefix: 'querywright_' });
}
let collecting = false;

export function observeRequest(method: string, route: string, status: number, seconds: number): void {
  httpDurations.observe({ method, route, status }, seconds);
}

export function countWebhook(
  provider: string,
  result: 'stored' | 'repeated' | 'refused' | 'off' | 'failed',
): void {
  webhooks.inc({ provider, result });
}

export function countOrderMove(move: { from: string; to: string; by: string }): void {
  orderMoves.inc({ from: move.from, to: move.to, cause: move.by });
}

export function observeJob(job: JobName, result: 'done' | 'failed' | 'given_up', seconds: number): void {
  jobDurations.observe({ job, result }, seconds);
}

export function countEmail(kind: EmailKind, result: 'sent' | 'refused' | 'failed' | 'dropped'): void {
  emails.inc({ kind, result });
}

/** One call to a provider, measured whatever comes of it. `statusOf` reads the status of an answer. */
export async function measureCall<T>(
  provider: PaymentMethod | 'smtp',
  operation: string,
  call: () => Promise<T>,
  statusOf: (answer: T) => number | undefined = () => undefined,
): Promise<T> {
  const start = performance.now();
  let result = 'error';
  try {
    const answer = await call();
    result = statusClass(statusOf(answer)) ?? 'ok';
    return answer;
  } catch (error) {
    result = statusClass((error as { statusCode?: unknown }).statusCode) ?? 'error';
    throw error;
  } finally {
    providerCalls.observe({ provider, operation, result }, (performance.now() - start) / 1000);
  }
}

function statusClass(status: unknown): string | undefined {
  return typeof status === 'number' ? `${Math.floor(status / 100)}xx` : undefined;
}

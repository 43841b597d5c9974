import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { type EmailKind, emailKinds } from '../core/emails.ts';
import type { JobName } from '../core/jobs.ts';
import { unsettledStatuses } from '../core/order-lifecycle.ts';
import { type PaymentMethod, paymentMethods } from '../core/orders.ts';
import { traced } from './tracing.ts';

export const registry = new Registry();
const registers = [registry];

const httpDurations = new Histogram({
  name: 'querywright_http_request_duration_seconds',
  help: 'Response time by route pattern',
  labelNames: ['method', 'route', 'status'],
  buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  registers,
});
const webhooks = new Counter({
  name: 'querywright_webhooks_total',
  help: 'Webhook deliveries: stored, repeated, refused (signature verification failed), off (not configured) or failed',
  labelNames: ['provider', 'result'],
  registers,
});
const orderMoves = new Counter({
  name: 'querywright_order_moves_total',
  help: 'Committed status changes of orders, by cause',
  labelNames: ['from', 'to', 'cause'],
  registers,
});
const jobDurations = new Histogram({
  name: 'querywright_job_duration_seconds',
  help: 'Job runs: done, postponed, failed (will be retried) or dead_lettered',
  // Not 'job': Prometheus gives that label to what it scrapes.
  labelNames: ['job_name', 'result'],
  buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
  registers,
});
const emails = new Counter({
  name: 'querywright_emails_total',
  help: 'E-mails: sent, refused (permanently), failed (will be retried) or dropped (no longer needed)',
  labelNames: ['kind', 'result'],
  registers,
});
const providerCalls = new Histogram({
  name: 'querywright_provider_call_duration_seconds',
  help: 'Provider calls, each retry counted; result is the status class, or error without a response',
  labelNames: ['provider', 'operation', 'result'],
  buckets: [0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 4, 8],
  registers,
});

const circuits = new Gauge({
  name: 'querywright_provider_circuit_open',
  help: '1 while this worker makes no calls to the provider, after five outages in a row, else 0',
  labelNames: ['provider'],
  registers,
});

const webhookResults = ['stored', 'repeated', 'refused', 'off', 'failed'] as const;

// Prometheus sees no increase in a counter that first appears at 1, so counters with alerts start at 0.
for (const provider of paymentMethods)
  for (const result of webhookResults) webhooks.inc({ provider, result }, 0);
for (const from of unsettledStatuses) orderMoves.inc({ from, to: 'paid', cause: 'reconciliation' }, 0);
for (const kind of Object.keys(emailKinds)) emails.inc({ kind, result: 'failed' }, 0);

const processes = new Gauge({
  name: 'querywright_process_info',
  help: '1 for each running process; process is web or worker',
  labelNames: ['process'],
  registers,
});

export function collectProcessMetrics(processName: string): void {
  processes.set({ process: processName }, 1);
  if (collecting) return;
  collecting = true;
  collectDefaultMetrics({ register: registry, prefix: 'querywright_' });
}
let collecting = false;

export function observeRequest(method: string, route: string, status: number, seconds: number): void {
  httpDurations.observe({ method, route, status }, seconds);
}

export function countWebhook(provider: string, result: (typeof webhookResults)[number]): void {
  webhooks.inc({ provider, result });
}

export function countOrderMove(move: { from: string; to: string; by: string }): void {
  orderMoves.inc({ from: move.from, to: move.to, cause: move.by });
}

export function observeJob(
  job: JobName,
  result: 'done' | 'postponed' | 'failed' | 'dead_lettered',
  seconds: number,
): void {
  jobDurations.observe({ job_name: job, result }, seconds);
}

export function countEmail(kind: EmailKind, result: 'sent' | 'refused' | 'failed' | 'dropped'): void {
  emails.inc({ kind, result });
}

export function showCircuit(provider: PaymentMethod, isOpen: boolean): void {
  circuits.set({ provider }, isOpen ? 1 : 0);
}

/** Measures and traces one call to a provider. `statusOf` reads the status of its answer. */
export function measureCall<T>(
  provider: PaymentMethod | 'smtp',
  operation: string,
  call: () => Promise<T>,
  statusOf: (answer: T) => number | undefined = () => undefined,
): Promise<T> {
  return traced(`${provider} ${operation}`, { kind: 'client' }, async (span) => {
    const start = performance.now();
    let result = 'error';
    try {
      const answer = await call();
      const status = statusOf(answer);
      result = statusClass(status) ?? 'ok';
      if (status !== undefined && status >= 400) span?.fail({ name: String(status) });
      return answer;
    } catch (error) {
      result = statusClass((error as { statusCode?: unknown }).statusCode) ?? 'error';
      throw error;
    } finally {
      providerCalls.observe({ provider, operation, result }, (performance.now() - start) / 1000);
      span?.set({ 'querywright.provider': provider, 'querywright.result': result });
    }
  });
}

function statusClass(status: unknown): string | undefined {
  return typeof status === 'number' ? `${Math.floor(status / 100)}xx` : undefined;
}

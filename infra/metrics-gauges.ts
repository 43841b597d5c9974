import { Gauge } from 'prom-client';
import { type QueueName, queueNames } from '../core/jobs.ts';
import type { Database } from '../db/database.ts';
import { countRefusedEmails } from '../db/emails.ts';
import { type OutboxStatus, readOutboxStatus } from '../db/outbox-status.ts';
import { within } from './deadline.ts';
import { registry } from './metrics.ts';
import type { Outbox } from './outbox.ts';

const registers = [registry];
const answers = new Gauge({
  name: 'querywright_dependency_up',
  help: 'Whether the dependency answered this scrape',
  labelNames: ['dependency'],
  registers,
});
const outboxRows = new Gauge({
  name: 'querywright_outbox_rows',
  help: 'Work that is written down: open, of these overdue and failing, and dead (given up)',
  labelNames: ['job', 'state'],
  registers,
});
const outboxAge = new Gauge({
  name: 'querywright_outbox_oldest_open_seconds',
  help: 'Age of the oldest work that is not done',
  labelNames: ['job'],
  registers,
});
const refusedEmails = new Gauge({
  name: 'querywright_emails_refused',
  help: 'Mails that the mail server refused for good and nobody sent again',
  registers,
});
const queueJobs = new Gauge({
  name: 'querywright_queue_jobs',
  help: 'Jobs in BullMQ by state',
  labelNames: ['queue', 'state'],
  registers,
});
const queueAge = new Gauge({
  name: 'querywright_queue_oldest_waiting_seconds',
  help: 'Age of the oldest job that waits for a worker',
  labelNames: ['queue'],
  registers,
});
const pool = new Gauge({
  name: 'querywright_database_pool_connections',
  help: 'Connections of this process: used, free, and callers that wait for one',
  labelNames: ['state'],
  registers,
});

const DEADLINE_MS = 2_000;

/**
 * Asks database and queue at this scrape, not before: what nobody scrapes costs nothing. Who does not answer is shown
 * by `querywright_dependency_up`, and its gauges are left out.
 */
export async function refreshGauges({ db, outbox }: { db: Database; outbox: Outbox }): Promise<void> {
  showPool(db);
  await Promise.all([
    refresh('database', [outboxRows, outboxAge, refusedEmails], async () => {
      const [jobs, refused] = await Promise.all([readOutboxStatus(db), countRefusedEmails(db)]);
      return () => showDatabase(jobs, refused);
    }),
    refresh('queue', [queueJobs, queueAge], async () => {
      const depths = await Promise.all(queueNames.map((name) => askQueue(outbox, name)));
      return () => depths.forEach(showQueue);
    }),
  ]);
}

/** Asks first and shows afterwards, so that a scrape at the same time does not see half. */
async function refresh(
  dependency: string,
  gauges: { reset(): void }[],
  ask: () => Promise<() => void>,
): Promise<void> {
  const show = await within(DEADLINE_MS, ask()).catch(() => undefined);
  for (const gauge of gauges) gauge.reset();
  show?.();
  answers.set({ dependency }, show ? 1 : 0);
}

function showDatabase(jobs: OutboxStatus[], refused: number): void {
  for (const { job, oldestOpenSeconds, ...states } of jobs) {
    for (const [state, count] of Object.entries(states)) outboxRows.set({ job, state }, count);
    outboxAge.set({ job }, oldestOpenSeconds ?? 0);
  }
  refusedEmails.set(refused);
}

async function askQueue(outbox: Outbox, name: QueueName) {
  const queue = outbox.queue(name);
  const [counts, [oldest]] = await Promise.all([
    queue.getJobCounts('waiting', 'active', 'delayed', 'failed'),
    queue.getJobs(['waiting'], 0, 0, true),
  ]);
  return { name, counts, waitingSeconds: oldest ? Math.max(0, (Date.now() - oldest.timestamp) / 1000) : 0 };
}

function showQueue({ name, counts, waitingSeconds }: Awaited<ReturnType<typeof askQueue>>): void {
  for (const [state, count] of Object.entries(counts)) queueJobs.set({ queue: name, state }, count);
  queueAge.set({ queue: name }, waitingSeconds);
}

function showPool(db: Database): void {
  const { pool: connections } = db.client as {
    pool: { numUsed(): number; numFree(): number; numPendingAcquires(): number };
  };
  pool.set({ state: 'used' }, connections.numUsed());
  pool.set({ state: 'free' }, connections.numFree());
  pool.set({ state: 'waiting' }, connections.numPendingAcquires());
}

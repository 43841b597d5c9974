import { Gauge } from 'prom-client';
import { transferKinds } from '../core/failed-transfers.ts';
import { jobNames, type QueueName, queueNames } from '../core/jobs.ts';
import { paymentMethods } from '../core/orders.ts';
import type { Attention, Silence } from '../db/attention.ts';
import type { Database } from '../db/database.ts';
import type { OutboxStatus } from '../db/outbox-status.ts';
import { within } from './deadline.ts';
import { registry } from './metrics.ts';
import type { Outbox } from './outbox.ts';

const registers = [registry];
const answers = new Gauge({
  name: 'querywright_dependency_up',
  help: '1 if the dependency answered during this scrape, else 0',
  labelNames: ['dependency'],
  registers,
});
const outboxRows = new Gauge({
  name: 'querywright_outbox_rows',
  help: 'Outbox rows by state: open (of these overdue, failing) and dead (dead letters)',
  labelNames: ['job_name', 'state'],
  registers,
});
const outboxAge = new Gauge({
  name: 'querywright_outbox_oldest_open_seconds',
  help: 'Age of the oldest open outbox row',
  labelNames: ['job_name'],
  registers,
});
const refusedEmails = new Gauge({
  name: 'querywright_emails_refused',
  help: 'E-mails that the mail server refused permanently and that were not resent',
  registers,
});
const failedTransfers = new Gauge({
  name: 'querywright_failed_transfers',
  help: 'Payouts and refunds that failed at the bank and that staff have not dismissed',
  labelNames: ['kind'],
  registers,
});
const oldestMessage = new Gauge({
  name: 'querywright_oldest_unanswered_message_seconds',
  help: 'Age of the oldest unanswered message; 0 if there is none or no desk',
  registers,
});
const attentionOrders = new Gauge({
  name: 'querywright_orders',
  help: 'Orders that need a person: in review, disputed, or with a payment on hold pending our action',
  labelNames: ['status'],
  registers,
});
const unconfirmedOrders = new Gauge({
  name: 'querywright_orders_unconfirmed',
  help: 'Paid orders whose confirmation e-mail has been unsent for more than 15 minutes',
  registers,
});
const ordersWithoutWebhook = new Gauge({
  name: 'querywright_orders_paid_without_webhook',
  help: 'Orders paid in the last hour, while no webhook of their provider came; 0 where the endpoint is off',
  labelNames: ['provider'],
  registers,
});
const evidenceDue = new Gauge({
  name: 'querywright_dispute_evidence_due_timestamp_seconds',
  help: 'Until when evidence for the most urgent open dispute may be submitted; absent without one',
  labelNames: ['dispute'],
  registers,
});
const queueJobs = new Gauge({
  name: 'querywright_queue_jobs',
  help: 'BullMQ jobs by state',
  labelNames: ['queue', 'state'],
  registers,
});
const queueAge = new Gauge({
  name: 'querywright_queue_oldest_waiting_seconds',
  help: 'Age of the oldest waiting job',
  labelNames: ['queue'],
  registers,
});
const pool = new Gauge({
  name: 'querywright_database_pool_connections',
  help: 'Pool connections of this process: used, free, and callers waiting for one',
  labelNames: ['state'],
  registers,
});

const DEADLINE_MS = 2_000;

const fromDatabase = [
  outboxRows,
  outboxAge,
  refusedEmails,
  failedTransfers,
  oldestMessage,
  attentionOrders,
  unconfirmedOrders,
  ordersWithoutWebhook,
  evidenceDue,
];

export interface GaugeParts {
  db: Database;
  outbox: Outbox;
  /** Also feeds the reminders and the desk. */
  observe: () => Promise<Attention & Silence>;
}

/** Queries database and queue during the scrape. The gauges of a dependency that does not answer are left out. */
export async function refreshGauges({ db, outbox, observe }: GaugeParts): Promise<void> {
  showPool(db);
  await Promise.all([
    refresh('database', fromDatabase, async () => {
      const seen = await observe();
      return () => {
        showOutbox(seen.jobs);
        refusedEmails.set(seen.refusedEmails);
        showAttention(seen);
        showSilence(seen);
        oldestMessage.set(seen.messagesSince === null ? 0 : (seen.now - seen.messagesSince) / 1000);
      };
    }),
    refresh('queue', [queueJobs, queueAge], async () => {
      const depths = await Promise.all(queueNames.map((name) => askQueue(outbox, name)));
      return () => depths.forEach(showQueue);
    }),
  ]);
}

/** Queries first and sets the gauges afterwards, so that a concurrent scrape never sees half of them. */
async function refresh(dependency: string, gauges: Gauge[], ask: () => Promise<() => void>): Promise<void> {
  const show = await within(DEADLINE_MS, ask()).catch(() => undefined);
  for (const gauge of gauges) clear(gauge);
  show?.();
  answers.set({ dependency }, show ? 1 : 0);
}

/** `reset` alone sets a gauge without labels to 0, which would read as an answer. */
function clear(gauge: Gauge): void {
  gauge.reset();
  const { labelNames } = gauge as unknown as { labelNames: string[] };
  if (labelNames.length === 0) gauge.remove();
}

function showOutbox(jobs: OutboxStatus[]): void {
  const none = { open: 0, overdue: 0, failing: 0, dead: 0, oldestOpenSeconds: null };
  for (const name of jobNames) {
    const { oldestOpenSeconds, open, overdue, failing, dead } = jobs.find(({ job }) => job === name) ?? none;
    for (const [state, count] of Object.entries({ open, overdue, failing, dead }))
      outboxRows.set({ job_name: name, state }, count);
    outboxAge.set({ job_name: name }, oldestOpenSeconds ?? 0);
  }
}

function showAttention({ review, disputed, held, evidenceDueAt, transfers }: Attention): void {
  for (const kind of transferKinds) {
    failedTransfers.set({ kind }, transfers.find((transfer) => transfer.kind === kind)?.open ?? 0);
  }
  attentionOrders.set({ status: 'review' }, review);
  attentionOrders.set({ status: 'disputed' }, disputed);
  attentionOrders.set({ status: 'held' }, held);
  if (evidenceDueAt !== null) evidenceDue.set({ dispute: 'next' }, evidenceDueAt / 1000);
}

function showSilence({ unconfirmed, paidWithoutWebhook }: Silence): void {
  unconfirmedOrders.set(unconfirmed);
  for (const provider of paymentMethods) {
    const silent = paidWithoutWebhook.find((row) => row.provider === provider);
    ordersWithoutWebhook.set({ provider }, silent?.orders ?? 0);
  }
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

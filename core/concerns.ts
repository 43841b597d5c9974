import { z } from 'zod';
import { DAY_MS, HOUR_MS } from './durations.ts';
import type { TransferKind } from './failed-transfers.ts';
import { type JobName, refundJobs } from './jobs.ts';
import { paymentMethods } from './orders.ts';

/** What staff are reminded of by e-mail, without monitoring. */
export const concern = z.discriminatedUnion('topic', [
  z.object({ topic: z.literal('orders_unconfirmed'), count: z.int() }),
  z.object({ topic: z.literal('webhooks_silent'), count: z.int(), provider: z.enum(paymentMethods) }),
  z.object({ topic: z.literal('orders_in_review'), count: z.int(), since: z.number() }),
  z.object({ topic: z.literal('payments_held'), count: z.int(), since: z.number() }),
  z.object({ topic: z.literal('evidence_due'), dueAt: z.number() }),
  z.object({ topic: z.literal('refunds_dead'), count: z.int(), since: z.number() }),
  z.object({ topic: z.literal('refunds_failed'), count: z.int(), since: z.number() }),
  z.object({ topic: z.literal('payouts_failed'), count: z.int(), since: z.number() }),
  z.object({ topic: z.literal('jobs_dead'), count: z.int(), since: z.number() }),
  z.object({ topic: z.literal('emails_refused'), count: z.int(), since: z.number() }),
  z.object({ topic: z.literal('messages_unanswered'), count: z.int(), since: z.number() }),
]);
export type Concern = z.infer<typeof concern>;

/** How long a concern may be open before the reminder; most are also reported by an e-mail of their own at once. */
const STANDING_MS = HOUR_MS;
/** How long before the deadline; each dispute's own reminder is sent three days before. */
const EVIDENCE_MS = 2 * DAY_MS;

/** The contact page promises an answer within this time. */
const ANSWER_MS = DAY_MS;

interface Observed {
  now: number;
  unconfirmed: number;
  paidWithoutWebhook: { provider: (typeof paymentMethods)[number]; orders: number }[];
  review: number;
  reviewSince: number | null;
  held: number;
  heldSince: number | null;
  evidenceDueAt: number | null;
  jobs: { job: JobName; dead: number; deadSince: number | null }[];
  transfers: { kind: TransferKind; open: number; openSince: number }[];
  refusedEmails: number;
  refusedSince: number | null;
  messages: number;
  messagesSince: number | null;
}

/** What needs a person now, most urgent first. */
export function openConcerns(seen: Observed): Concern[] {
  const { evidenceDueAt, reviewSince, heldSince, refusedSince, messagesSince } = seen;
  const concerns: Concern[] = seen.paidWithoutWebhook.map(({ provider, orders: count }) => {
    return { topic: 'webhooks_silent', count, provider };
  });
  if (seen.unconfirmed > 0) concerns.push({ topic: 'orders_unconfirmed', count: seen.unconfirmed });
  if (reviewSince !== null)
    concerns.push({ topic: 'orders_in_review', count: seen.review, since: reviewSince });
  if (heldSince !== null) concerns.push({ topic: 'payments_held', count: seen.held, since: heldSince });
  if (evidenceDueAt !== null && evidenceDueAt > seen.now)
    concerns.push({ topic: 'evidence_due', dueAt: evidenceDueAt });
  concerns.push(...deadJobs('refunds_dead', seen.jobs.filter(isRefund)));
  concerns.push(...failedTransfers('refunds_failed', seen.transfers, 'refund'));
  concerns.push(...failedTransfers('payouts_failed', seen.transfers, 'payout'));
  concerns.push(
    ...deadJobs(
      'jobs_dead',
      seen.jobs.filter((job) => !isRefund(job)),
    ),
  );
  if (refusedSince !== null)
    concerns.push({ topic: 'emails_refused', count: seen.refusedEmails, since: refusedSince });
  if (messagesSince !== null)
    concerns.push({ topic: 'messages_unanswered', count: seen.messages, since: messagesSince });
  return concerns;
}

const isRefund = ({ job }: Observed['jobs'][number]) => refundJobs.includes(job);

function deadJobs(topic: 'refunds_dead' | 'jobs_dead', jobs: Observed['jobs']): Concern[] {
  const count = jobs.reduce((sum, { dead }) => sum + dead, 0);
  const since = Math.min(...jobs.map(({ deadSince }) => deadSince ?? Number.POSITIVE_INFINITY));
  return Number.isFinite(since) ? [{ topic, count, since }] : [];
}

function failedTransfers(
  topic: 'refunds_failed' | 'payouts_failed',
  transfers: Observed['transfers'],
  kind: TransferKind,
): Concern[] {
  return transfers
    .filter((transfer) => transfer.kind === kind)
    .map(({ open: count, openSince: since }) => ({ topic, count, since }));
}

/** Concerns that staff are reminded of by e-mail. */
export function concernsToRemind(seen: Observed): Concern[] {
  return openConcerns(seen).filter((concern) => {
    if (concern.topic === 'evidence_due') return concern.dueAt - seen.now < EVIDENCE_MS;
    const standsMs = concern.topic === 'messages_unanswered' ? ANSWER_MS : STANDING_MS;
    return !('since' in concern) || seen.now - concern.since >= standsMs;
  });
}

export function nameOf(concern: Concern): string {
  return concern.topic === 'webhooks_silent' ? `${concern.topic}:${concern.provider}` : concern.topic;
}

/** When the reminder is repeated: after an hour if orders are affected, otherwise after a day. */
export function repeatAfterMs({ topic }: Concern): number {
  return topic === 'orders_unconfirmed' || topic === 'webhooks_silent' ? HOUR_MS : DAY_MS;
}

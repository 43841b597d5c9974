import { DAY_MS, HOUR_MS } from '../core/durations.ts';
import type { JobPayload } from '../core/jobs.ts';
import type { PaymentMethod } from '../core/orders.ts';
import { findFetchedUntil, markFetched } from '../db/backfills.ts';
import { databaseTime } from '../db/database.ts';
import { receiveEvent } from '../db/receive-event.ts';
import type { QueueEntry } from '../db/unit-of-work.ts';
import type { ProviderEvent } from '../providers/gateway.ts';
import { EndlessList } from '../providers/pages.ts';
import type { JobRun, OrderParts } from './parts.ts';

/** How often each provider's list is fetched: an event whose delivery failed is applied within two hours. */
export const BACKFILL_EVERY_MS = HOUR_MS;
/** Lists may show an event late, so the last hours are fetched again. Known events are stored once. */
const OVERLAP_MS = 3 * HOUR_MS;
/** Lookback of the first fetch: providers retry deliveries for three days. */
const FIRST_LOOKBACK_MS = 3 * DAY_MS;
/** Providers list events for 30 days (https://docs.stripe.com/api/events/list). One hour less allows for clock skew. */
const MAX_LOOKBACK_MS = 30 * DAY_MS - HOUR_MS;
/** Parts are fetched oldest first, so that an endless list costs only its own part. */
const PART_MS = HOUR_MS;
/** No part is started after this time; the next fetch resumes there. */
const MAX_FETCH_MS = 60_000;
/** Events stored together, in few statements. */
const GROUP = 100;

export function backfillSchedule(provider: PaymentMethod): string {
  return `backfill-events:${provider}`;
}

export async function backfillEvents(
  parts: OrderParts,
  { provider }: JobPayload<'backfill-events'>,
  run: JobRun,
): Promise<void> {
  const now = await databaseTime(parts.db);
  const until = (await findFetchedUntil(parts.db, provider))?.getTime() ?? now - FIRST_LOOKBACK_MS;
  const since = Math.max(Math.min(until, now - OVERLAP_MS), now - MAX_LOOKBACK_MS);
  const { stopped, ...counts } = await fetchEvents(parts, {
    provider,
    since: new Date(since),
    requestId: run.requestId ?? '',
    onEntry: (entry) => parts.outbox.enqueue([entry]),
    onPart: (end) => markFetched(parts.db, provider, end),
  });
  await run.complete((trx) => markFetched(trx, provider, stopped?.at ?? new Date(now)));
  if (stopped)
    return run.logger.error({ ...counts, stopped }, 'backfill stopped early; the next one resumes');
  run.logger[counts.added > 0 ? 'warn' : 'debug'](counts, 'events backfilled');
}

export interface FetchedEvents {
  provider: PaymentMethod;
  seen: number;
  added: number;
  /** Why the fetch stopped early, and where to resume. */
  stopped?: { at: Date; reason: string };
}

interface EventFetch {
  provider: PaymentMethod;
  since: Date;
  requestId: string;
  /** Called with each job to run. */
  onEntry: (entry: QueueEntry) => unknown;
  /** Called with the end of each part that was fetched, except the last one. */
  onPart?: (end: Date) => Promise<void>;
}

/**
 * Stores the provider's events since then; known ones stay as they are.
 * @throws ProviderError, except EndlessList, which is reported as `stopped`
 */
export async function fetchEvents(
  { db, gateways }: Pick<OrderParts, 'db' | 'gateways'>,
  { provider, since, requestId, onEntry, onPart }: EventFetch,
): Promise<FetchedEvents> {
  const counts = { provider, seen: 0, added: 0 };
  const entries: QueueEntry[] = [];
  const inbox = { db, outbox: { enqueue: (jobs: QueueEntry[]) => entries.push(...jobs), afterCommit: true } };
  const now = await databaseTime(db);
  const endBy = performance.now() + MAX_FETCH_MS;
  for (let at = since; ; ) {
    // The last part has no end, so that it includes what arrived meanwhile.
    const end = at.getTime() + PART_MS < now ? new Date(at.getTime() + PART_MS) : undefined;
    try {
      await fetchPart(at, end);
    } catch (error) {
      if (error instanceof EndlessList) return { ...counts, stopped: { at, reason: error.message } };
      throw error;
    }
    if (!end) return counts;
    at = end;
    await onPart?.(end);
    if (performance.now() > endBy) return { ...counts, stopped: { at, reason: 'out of time' } };
  }

  async function fetchPart(from: Date, end: Date | undefined): Promise<void> {
    const group: ProviderEvent[] = [];
    try {
      for await (const event of gateways[provider].eventsSince?.(from, end) ?? []) {
        group.push(event);
        if (group.length === GROUP) await storeGroup(group.splice(0));
      }
    } finally {
      await storeGroup(group);
    }
  }

  async function storeGroup(group: ProviderEvent[]): Promise<void> {
    const isNew = await Promise.all(
      group.map((event) => receiveEvent(inbox, { provider, source: 'backfill', ...event, requestId })),
    );
    counts.seen += group.length;
    counts.added += isNew.filter(Boolean).length;
    for (const entry of entries.splice(0)) await onEntry(entry);
  }
}

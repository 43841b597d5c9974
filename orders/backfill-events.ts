import type { JobPayload } from '../core/jobs.ts';
import type { PaymentMethod } from '../core/orders.ts';
import { findFetchedUntil, markFetched } from '../db/backfills.ts';
import { databaseTime } from '../db/database.ts';
import { receiveEvent } from '../db/payment-events.ts';
import type { QueueEntry } from '../db/unit-of-work.ts';
import type { ProviderEvent } from '../providers/gateway.ts';
import type { JobRun, OrderParts } from './parts.ts';

const HOUR_MS = 3_600_000;
/** How often each provider's list is fetched: an event whose delivery failed is applied within two hours. */
export const BACKFILL_EVERY_MS = HOUR_MS;
/** Lists may show an event late: fetch this much again. Known events are stored once. */
const OVERLAP_MS = 2 * HOUR_MS;
/** The first time, and after a long rest: providers keep events for 30 days, and try to deliver them for three. */
const MAX_LOOKBACK_MS = 3 * 24 * HOUR_MS;
/** Stored at once, in few statements: most are known already. */
const GROUP = 100;

/** The name of the provider's turn in `schedules`. */
export function backfillSchedule(provider: PaymentMethod): string {
  return `backfill-events:${provider}`;
}

/** Fetches the events that were not delivered since the last time. */
export async function backfillEvents(
  parts: OrderParts,
  { provider }: JobPayload<'backfill-events'>,
  run: JobRun,
): Promise<void> {
  const now = await databaseTime(parts.db);
  const until = await findFetchedUntil(parts.db, provider);
  const since = Math.max((until?.getTime() ?? 0) - OVERLAP_MS, now - MAX_LOOKBACK_MS);
  const { seen, added } = await fetchEvents(parts, provider, new Date(since), run.requestId ?? '', (entry) =>
    parts.outbox.enqueue([entry]),
  );
  await run.complete((trx) => markFetched(trx, provider, new Date(now)));
  const level = added > 0 ? 'warn' : 'debug';
  run.logger[level]({ provider, seen, added }, 'events backfilled');
}

/** Stores the provider's events since then; those known already are left alone. `onEntry` gets each job to be run. */
export async function fetchEvents(
  { db, gateways }: Pick<OrderParts, 'db' | 'gateways'>,
  provider: PaymentMethod,
  since: Date,
  requestId: string,
  onEntry: (entry: QueueEntry) => unknown,
): Promise<{ provider: PaymentMethod; seen: number; added: number }> {
  const counts = { provider, seen: 0, added: 0 };
  let group: ProviderEvent[] = [];
  for await (const event of gateways[provider].eventsSince?.(since) ?? []) {
    group.push(event);
    if (group.length === GROUP) await storeGroup();
  }
  await storeGroup();
  return counts;

  async function storeGroup(): Promise<void> {
    const stored = await Promise.all(
      group.map((event) => receiveEvent(db, { provider, source: 'backfill', ...event, requestId })),
    );
    counts.seen += group.length;
    counts.added += stored.filter(({ isNew }) => isNew).length;
    group = [];
    for (const { entry } of stored) if (entry) await onEntry(entry);
  }
}

import type { JobPayload } from '../core/jobs.ts';
import { removeDue, retentionRules } from '../db/retention.ts';
import type { JobRun } from '../orders/parts.ts';
import type { WorkerParts } from './parts.ts';

export const RETENTION_EVERY_MS = 24 * 3_600_000;
/** A run that exceeds this time continues later, so that other jobs get their turn. */
const MAX_RUN_MS = 4_000;
const PAUSE_MS = 1_000;

/** Removes data that is past its retention time, a few hundred rows at a time. */
export async function applyRetention(
  { config, db }: WorkerParts,
  _payload: JobPayload<'apply-retention'>,
  run: JobRun,
): Promise<void> {
  const until = performance.now() + MAX_RUN_MS;
  for (const name of retentionRules) {
    let total = 0;
    for (let isDone = false; !isDone; ) {
      if (performance.now() > until) return run.postpone(PAUSE_MS);
      const batch = await removeDue(db, name, config.retention[name]);
      total += batch.removed;
      isDone = batch.isDone;
    }
    if (total > 0) run.logger.info({ kind: name, removed: total }, 'retention applied');
  }
  await run.complete();
}

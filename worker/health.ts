import type { ReadinessReport } from '../core/health.ts';
import { requireWritable } from '../db/database.ts';
import { readiness } from '../infra/readiness.ts';
import type { WorkerParts } from './parts.ts';

/** Does not check mail and the providers: while they are down their jobs wait. */
export function workerReadiness({
  db,
  outbox,
}: Pick<WorkerParts, 'db' | 'outbox'>): Promise<ReadinessReport> {
  return readiness({ database: () => requireWritable(db), queue: () => outbox.ping() });
}

import type { ReadinessReport } from '../core/health.ts';
import { requireWritable } from '../db/database.ts';
import { readiness } from '../infra/readiness.ts';
import type { WorkerParts } from './parts.ts';

/** Mail and the providers may be down: their jobs wait. */
export function workerReadiness({
  db,
  outbox,
}: Pick<WorkerParts, 'db' | 'outbox'>): Promise<ReadinessReport> {
  return readiness({ database: () => requireWritable(db), queue: () => outbox.ping() });
}

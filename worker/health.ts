import { ping } from '../db/database.ts';
import { type Readiness, readiness } from '../infra/readiness.ts';
import type { WorkerParts } from './parts.ts';

/** Mail and the providers may be down: their jobs wait. */
export function workerReadiness({ db, outbox }: Pick<WorkerParts, 'db' | 'outbox'>): Promise<Readiness> {
  return readiness({ database: () => ping(db), queue: () => outbox.ping() });
}

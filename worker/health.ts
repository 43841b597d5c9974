import { type Readiness, readiness } from '../infra/readiness.ts';
import type { WorkerParts } from './parts.ts';

/** What a worker needs to do its work. Mail and the providers may be away: their jobs wait. */
export function workerReadiness({ db, outbox }: Pick<WorkerParts, 'db' | 'outbox'>): Promise<Readiness> {
  return readiness({ database: () => db.raw('select 1').then(), queue: () => outbox.ping() });
}

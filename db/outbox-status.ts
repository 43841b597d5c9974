import type { JobName } from '../core/jobs.ts';
import type { Database } from './database.ts';

/** The outbox rows of one job. Done rows are not counted: their number only grows. */
export interface OutboxStatus {
  job: JobName;
  open: number;
  overdue: number;
  failing: number;
  dead: number;
  /** Age of the oldest open row in seconds, rows postponed from the start excepted; null if there is none. */
  oldestOpenSeconds: number | null;
  /** How long the most overdue row has been due; null if none is. */
  oldestOverdueSeconds: number | null;
  /** Due time of the oldest dead row's last run, ms since the epoch; null if none is dead. */
  deadSince: number | null;
}

/** A due row is taken within 50 ms, or within 5 s if the queue did not answer. */
const OVERDUE = `interval '10 seconds'`;

/** Counts open and dead rows by job, over partial indexes. */
export async function readOutboxStatus(db: Database): Promise<OutboxStatus[]> {
  const { rows } = await db.raw<{ rows: OutboxStatus[] }>(
    `with waiting as (
       select job, status, pushes, due_at, attempts, created_at from outbox where status = 'open'
       union all
       select job, status, pushes, due_at, attempts, created_at from outbox where status = 'dead')
     select job,
       count(*) filter (where status = 'open')::int as open,
       count(*) filter (where status = 'open' and due_at < now() - ${OVERDUE})::int as overdue,
       count(*) filter (where status = 'open' and attempts > 0)::int as failing,
       count(*) filter (where status = 'dead')::int as dead,
       extract(epoch from now() - min(created_at) filter (
         where status = 'open' and not (pushes = 0 and due_at > now())))::float8 as "oldestOpenSeconds",
       extract(epoch from now() - min(due_at) filter (
         where status = 'open' and due_at < now() - ${OVERDUE}))::float8 as "oldestOverdueSeconds",
       extract(epoch from min(due_at) filter (where status = 'dead'))::float8 * 1000 as "deadSince"
     from waiting group by job order by job`,
  );
  return rows;
}

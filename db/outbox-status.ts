import type { JobName } from '../core/jobs.ts';
import type { Database } from './database.ts';

/** How the work of one kind stands. Done work is not counted: it grows for ever. */
export interface OutboxStatus {
  job: JobName;
  /** Written and not done. */
  open: number;
  /** Open, and past the moment at which it should have been pushed (again). */
  overdue: number;
  /** Open, and failed at least once. */
  failing: number;
  /** Given up: waits for an operator. */
  dead: number;
  /** Age of the oldest open row in seconds, rows postponed from the start excepted; null if there is none. */
  oldestOpenSeconds: number | null;
}

/** The open and dead rows of the outbox by job. Reads two partial indexes, however long the table is. */
export async function readOutboxStatus(db: Database): Promise<OutboxStatus[]> {
  const { rows } = await db.raw<{ rows: OutboxStatus[] }>(
    `with waiting as (
       select job, status, due_at, attempts, created_at from outbox where status = 'open'
       union all
       select job, status, due_at, attempts, created_at from outbox where status = 'dead')
     select job,
       count(*) filter (where status = 'open')::int as open,
       count(*) filter (where status = 'open' and due_at < now())::int as overdue,
       count(*) filter (where status = 'open' and attempts > 0)::int as failing,
       count(*) filter (where status = 'dead')::int as dead,
       extract(epoch from now() - min(created_at) filter (where status = 'open' and not (pushes = 0 and due_at > now())))::float8 as "oldestOpenSeconds"
     from waiting group by job order by job`,
  );
  return rows;
}

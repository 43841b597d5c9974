import { missingTimeLimits } from '../../db/connections.ts';
import { type Database, requireWritable } from '../../db/database.ts';
import { compareSchema } from '../../db/migrate.ts';
import { readOutboxStatus } from '../../db/outbox-status.ts';
import type { Config } from '../../infra/config.ts';
import { compareConnections } from '../../infra/connection-budget.ts';
import { age } from '../table.ts';
import { ok, problem, type Verdict, warning } from './check.ts';

const MIN_SERVER_VERSION = 140_000;
/** The relay takes a due row within 5 s. */
const MAX_OVERDUE_SECONDS = 60;

export async function checkServer(db: Database): Promise<Verdict> {
  const { rows } = await db.raw<{ rows: [{ version: string; number: number }] }>(
    `select current_setting('server_version') as version, current_setting('server_version_num')::int as number`,
  );
  const [{ version, number }] = rows;
  if (number < MIN_SERVER_VERSION) return problem(`PostgreSQL ${version}`, 'upgrade it to 14 or newer');
  await requireWritable(db);
  const missing = await missingTimeLimits(db);
  if (missing.length > 0)
    return problem(
      `PostgreSQL ${version} without ${missing.join(', ')}`,
      'a pooler is in between: set them for the role of DATABASE_URL, see PgBouncer in docs/operations.md',
    );
  return ok(`PostgreSQL ${version}, writable`);
}

export async function checkSchema(db: Database): Promise<Verdict> {
  const { missing, later } = await compareSchema(db);
  if (missing.length > 0)
    return problem(`${missing.join(', ')} not applied`, 'run the release step: node dist/ops/migrate.js');
  if (later.length > 0)
    return warning(
      `of a later release: ${later.join(', ')}`,
      'fine after going back; otherwise deploy that release',
    );
  return ok('that of this release');
}

/** Counts the running processes. All connections that they may open have to fit. */
export async function checkConnections(
  db: Database,
  config: Config,
  countWorkers: () => Promise<number>,
): Promise<Verdict> {
  const { limit, used, webProcesses, workers, demand, state } = await compareConnections(
    db,
    config,
    countWorkers,
  );
  const found = `${used} of ${limit} in use; ${webProcesses} web and ${workers} worker processes may take ${demand}`;
  const action = 'lower DATABASE_POOL_MAX, run fewer processes, or raise max_connections';
  if (state === 'used up') return problem(found, action);
  return state === 'short' ? warning(found, action) : ok(found);
}

export async function checkOutbox(db: Database): Promise<Verdict[]> {
  const jobs = await readOutboxStatus(db);
  const found: Verdict[] = [];
  for (const { job, overdue, oldestOverdueSeconds: seconds, dead } of jobs) {
    if ((seconds ?? 0) > MAX_OVERDUE_SECONDS)
      found.push(
        problem(
          `${overdue} ${job} due and not taken, the oldest for ${age(seconds ?? 0)}`,
          "start workers; a worker's log says why its relay fails",
        ),
      );
    if (dead > 0)
      found.push(warning(`${dead} dead ${job}`, 'jobs failed lists them; then jobs retry or jobs discard'));
  }
  return found.length > 0 ? found : [ok('nothing overdue, nothing dead')];
}

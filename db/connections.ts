import { type Database, TIME_LIMITS } from './database.ts';

export interface Connections {
  limit: number;
  used: number;
  /** The connections that listen for order changes, one per web process. */
  webProcesses: number;
}

/** The names of the time limits that are not in force. Behind a pooler they have to be settings of the role. */
export async function missingTimeLimits(db: Database): Promise<string[]> {
  const { rows } = await db.raw<{ rows: { name: string; ms: number }[] }>(
    'select name, setting::int as ms from pg_settings where name = any(?)',
    [Object.keys(TIME_LIMITS)],
  );
  return rows.filter(({ ms }) => ms === 0).map(({ name }) => name);
}

/**
 * Of other roles PostgreSQL shows a role without pg_read_all_stats the database and application, but no backend type
 * (https://www.postgresql.org/docs/current/monitoring-stats.html): behind a pooler web processes listen as another role.
 */
export async function readConnections(db: Database): Promise<Connections> {
  const { rows } = await db.raw<{ rows: [Connections] }>(
    `select
       least(
         current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
           - coalesce(current_setting('reserved_connections', true)::int, 0),
         (select nullif(rolconnlimit, -1) from pg_roles where rolname = current_user),
         (select nullif(datconnlimit, -1) from pg_database where datname = current_database())) as limit,
       count(*)::int as used,
       count(*) filter (where datname = current_database() and application_name = 'querywright order stream')::int
         as "webProcesses"
     from pg_stat_activity
     where backend_type = 'client backend'
       or backend_type is null and datid is not null and usesysid is not null`,
  );
  return rows[0];
}

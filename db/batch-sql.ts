import type { Database } from './database.ts';

type Bindings = Record<string, string | number | null | readonly string[]>;

/** Batches of at most so many items are prepared, for one of these sizes: each is another statement to every connection. */
const PREPARED_SIZES = [1, 4, 16, 32];

/**
 * SQL for a batch's items as rows, in a statement that {@link runBatch} runs. `columns` must be a literal. Without the limit
 * the planner assumes 100 rows from json_to_recordset, however few there are, and scans tables of a few thousand rows
 * sequentially.
 */
export function recordset(columns: string, items: object[]): string {
  return `select * from json_to_recordset(:records) as record(${columns}) limit ${preparedSize(items) ?? ':count'}`;
}

/** Runs a batch's statement with its items as {@link recordset}. */
export async function runBatch<R>(
  db: Database,
  items: object[],
  sql: string,
  bindings: Bindings = {},
): Promise<R[]> {
  return run(db, items, sql, { ...bindings, records: JSON.stringify(items), count: items.length });
}

/** Runs a batch's statement for these keys: `key ${isOneOf}`. */
export async function selectBatch<R>(
  db: Database,
  keys: string[],
  sql: (isOneOf: string) => string,
): Promise<R[]> {
  const isOneOf = keys.length === 1 ? '= :key' : '= any(:keys)';
  return run(db, keys, sql(isOneOf), { keys, key: keys[0] ?? null });
}

function preparedSize({ length }: unknown[]): number | undefined {
  return PREPARED_SIZES.find((size) => length <= size);
}

/**
 * A small batch's statement is prepared: each connection parses it once, and PostgreSQL can reuse its plan, which suits any
 * items. Parsing and planning take a third of a lone webhook's time in PostgreSQL. Larger batches are planned each time, for
 * the number of rows that they have.
 */
async function run<R>(db: Database, items: unknown[], sql: string, bindings: Bindings): Promise<R[]> {
  if (preparedSize(items)) return runPrepared(db, sql, bindings);
  return (await db.raw<{ rows: R[] }>(sql, bindings)).rows;
}

/** Runs a statement that each connection prepares once, unless a pooler may run the next one in another session. */
export async function runPrepared<R>(db: Database, sql: string, bindings: Bindings): Promise<R[]> {
  if (!db.userParams.preparesStatements) return (await db.raw<{ rows: R[] }>(sql, bindings)).rows;
  const { name, text, keys } = prepared(sql, bindings);
  const values = keys.map((key) => bindings[key]);
  // Past knex's query builder, which takes 0.1 ms after a rest, and searches the statement for each binding.
  const { client } = db;
  const connection = await client.acquireConnection();
  try {
    const { response } = await client.query(connection, { sql: text, bindings: values, options: { name } });
    return response.rows;
  } finally {
    await client.releaseConnection(connection);
  }
}

interface Prepared {
  name: string;
  /** With numbered parameters, of which `keys` are the bindings. */
  text: string;
  keys: string[];
}

/** A few for each statement of the code, since the statements of other sizes differ. */
const statements = new Map<string, Prepared>();

function prepared(sql: string, bindings: Bindings): Prepared {
  const known = statements.get(sql);
  if (known) return known;
  const keys: string[] = [];
  const text = sql.replaceAll(/(?<!:):(\w+)/g, (match, key) =>
    key in bindings ? `$${keys.push(key)}` : match,
  );
  const statement = { name: `querywright ${statements.size + 1}`, text, keys };
  statements.set(sql, statement);
  return statement;
}

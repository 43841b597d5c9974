/**
 * SQL for the items of a batch as a table, to be used with the bindings of {@link recordsOf}. PostgreSQL expects 100 rows
 * of json_to_recordset, whatever it gets, and would read a table of some thousand rows whole to find them: the limit tells
 * the planner how many there are.
 */
export function recordset(columns: string): string {
  return `select * from json_to_recordset(:records) as record(${columns}) limit :count`;
}

export function recordsOf(items: object[]): { records: string; count: number } {
  return { records: JSON.stringify(items), count: items.length };
}

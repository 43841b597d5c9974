/**
 * SQL for a batch's items as rows; bind {@link recordsOf}. `columns` must be a literal. Without the limit the planner
 * assumes 100 rows from json_to_recordset, however few there are, and scans tables of a few thousand rows sequentially.
 */
export function recordset(columns: string): string {
  return `select * from json_to_recordset(:records) as record(${columns}) limit :count`;
}

/** The bindings `:records` and `:count` of {@link recordset}. */
export function recordsOf(items: object[]): { records: string; count: number } {
  return { records: JSON.stringify(items), count: items.length };
}

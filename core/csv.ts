/** One line of CSV (RFC 4180), fields quoted; formulas are defused by an apostrophe (OWASP, CSV injection). */
export function csvLine(fields: readonly string[]): string {
  return fields
    .map((field) => (/^[=+\-@\t\r\n]|^\s*[=+\-@＝＋－＠]/u.test(field) ? `'${field}` : field))
    .map((field) => `"${field.replaceAll('"', '""')}"`)
    .join(',');
}

/** The columns of a table: each with its name and its value in a row. */
export type CsvColumns<Row> = readonly [name: string, value: (row: Row) => string][];

export function csvHead<Row>(columns: CsvColumns<Row>): string {
  return csvLine(columns.map(([name]) => name));
}

export function csvRow<Row>(columns: CsvColumns<Row>, row: Row): string {
  return csvLine(columns.map(([, value]) => value(row)));
}

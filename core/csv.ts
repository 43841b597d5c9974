const FORMULA_AT_START = /^[=+\-@\t\r\n]|^\s*[=+\-@＝＋－＠]/u;
/** A spreadsheet with another separator than ours starts a cell within the field, whatever the quotes say. */
const FORMULA_AFTER_SEPARATOR = /[;,\t\r\n](?=[\v\f\p{Zs}"]*[=+\-@＝＋－＠])/gu;

/** One line of CSV (RFC 4180), fields quoted; formulas are defused by an apostrophe (OWASP, CSV injection). */
export function csvLine(fields: readonly string[]): string {
  return fields
    .map(defused)
    .map((field) => `"${field.replaceAll('"', '""')}"`)
    .join(',');
}

function defused(field: string): string {
  const text = field.replace(FORMULA_AFTER_SEPARATOR, "$&'");
  return FORMULA_AT_START.test(text) ? `'${text}` : text;
}

/** The columns of a table: each with its name and its value in a row. */
export type CsvColumns<Row> = readonly [name: string, value: (row: Row) => string][];

export function csvHead<Row>(columns: CsvColumns<Row>): string {
  return csvLine(columns.map(([name]) => name));
}

export function csvRow<Row>(columns: CsvColumns<Row>, row: Row): string {
  return csvLine(columns.map(([, value]) => value(row)));
}

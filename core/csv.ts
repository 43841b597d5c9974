/** One line of CSV (RFC 4180), fields quoted; formulas are defused by an apostrophe (OWASP, CSV injection). */
export function csvLine(fields: readonly string[]): string {
  return fields
    .map((field) => (/^[=+\-@\t\r\n]|^\s*[=+\-@＝＋－＠]/u.test(field) ? `'${field}` : field))
    .map((field) => `"${field.replaceAll('"', '""')}"`)
    .join(',');
}

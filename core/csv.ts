/**
 * One line of CSV (RFC 4180), every field in quotes. A field that a spreadsheet would take for a formula gets an
 * apostrophe in front: addresses are written by strangers (OWASP, CSV injection).
 */
export function csvLine(fields: readonly string[]): string {
  return fields
    .map((field) => (/^[=+\-@\t\r\n]|^\s*[=+\-@＝＋－＠]/u.test(field) ? `'${field}` : field))
    .map((field) => `"${field.replaceAll('"', '""')}"`)
    .join(',');
}

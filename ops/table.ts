type Cell = string | number | Date | null | undefined;

const MAX_CELL_LENGTH = 100;

export function table(columns: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const lines = [columns.map((name) => name.toUpperCase()), ...rows.map((row) => row.map(show))];
  const widths = columns.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** One line of printable text: foreign text must not control the operator's terminal. */
export function show(value: Cell): string {
  return showUpTo(MAX_CELL_LENGTH, value);
}

/** {@link show}, of another length. */
export function showUpTo(maxLength: number, value: Cell): string {
  if (value === null || value === undefined || value === '') return '-';
  const text = value instanceof Date ? value.toISOString() : String(value);
  const plain = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').trim();
  return plain.length > maxLength ? `${plain.slice(0, maxLength - 1)}…` : plain;
}

/** '3 s', '5 min', '2 h' or '4 d'. */
export function age(seconds: number): string {
  if (seconds < 120) return `${Math.round(seconds)} s`;
  if (seconds < 7_200) return `${Math.round(seconds / 60)} min`;
  if (seconds < 172_800) return `${Math.round(seconds / 3_600)} h`;
  return `${Math.round(seconds / 86_400)} d`;
}

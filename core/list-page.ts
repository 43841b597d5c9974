/** Rows per page of a list at the desk. Query one more to see whether another page follows. */
export const PAGE_SIZE = 50;

/** The rows of one page and the cursor of the next one; null after the last page. */
export function pageOf<Row extends { cursor: string }>(
  found: Row[],
  size = PAGE_SIZE,
): { rows: Row[]; next: string | null } {
  const rows = found.slice(0, size);
  return { rows, next: found.length > size ? (rows.at(-1)?.cursor ?? null) : null };
}

import { randomUUID } from 'node:crypto';
import type { QueueEntry } from './unit-of-work.ts';

/** Fits into the 48 payments, or 40 e-mails, that a worker with the default settings has under way at once. */
export const MAX_BUNDLE = 32;

/** An outbox row and its bundle: the rows that one job of the queue delivers. Null for a row that is delivered alone. */
export interface BundledRow extends Omit<QueueEntry, 'ids'> {
  id: string;
}

/** Gives rows that are written together their bundles, so that the queue and its workers do less for each row. */
export function bundled<T extends object>(rows: T[]): (T & { bundle: string | null })[] {
  let bundle: string | null = null;
  return rows.map((row, index) => {
    if (index % MAX_BUNDLE === 0) bundle = index === rows.length - 1 ? null : randomUUID();
    return { ...row, bundle };
  });
}

/** One entry for each bundle and for each row without one. */
export function toEntries(rows: BundledRow[]): QueueEntry[] {
  const entries = new Map<string, QueueEntry>();
  for (const { id, ...row } of rows) {
    const entry = entries.get(row.bundle ?? id);
    if (!entry) entries.set(row.bundle ?? id, { ...row, ids: [id] });
    else {
      entry.ids.push(id);
      entry.delivery = Math.max(entry.delivery, row.delivery);
    }
  }
  return [...entries.values()];
}

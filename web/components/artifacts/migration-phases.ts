/** Days from the start to the end of the plan, and the day on which the new database takes over. */
export const DAYS = 36;
export const CUT_OVER = 30;

export interface Stretch {
  from: number;
  to: number;
  label: string;
  tone: 'old' | 'work' | 'new';
}

export interface Phase {
  name: string;
  stretches: readonly Stretch[];
}

export const phases: readonly Phase[] = [
  {
    name: 'Reads',
    stretches: [
      { from: 0, to: CUT_OVER, label: 'MySQL', tone: 'old' },
      { from: CUT_OVER, to: DAYS, label: 'PG', tone: 'new' },
    ],
  },
  { name: 'Dual write', stretches: [{ from: 0, to: DAYS, label: 'both databases', tone: 'work' }] },
  { name: 'Backfill', stretches: [{ from: 3, to: 17, label: '14 days', tone: 'work' }] },
  { name: 'Verify', stretches: [{ from: 10, to: CUT_OVER, label: 'row by row', tone: 'work' }] },
  { name: 'Way back', stretches: [{ from: CUT_OVER, to: DAYS, label: 'open', tone: 'new' }] },
];

export const ROWS = 2_100_000_000;

/** Rows per second that the backfill was held to. */
export const BACKFILL_RATE = 1_740;

export const weeks = [0, 7, 14, 21, 28, 35] as const;

/** A day's place on the timeline, in percent of its width. */
export function place(day: number): number {
  return Math.round((day / DAYS) * 1000) / 10;
}

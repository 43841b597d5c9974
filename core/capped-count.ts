/** Counting stops here: counting millions of rows takes seconds, and the reader needs no more. */
export const MAX_COUNTED = 10_000;

/** A count of at most {@link MAX_COUNTED} for people: '9,999', '10,000+'. */
export function cappedCount(count: number): string {
  return `${count.toLocaleString('en-US')}${count >= MAX_COUNTED ? '+' : ''}`;
}

/** More rows are not counted: counting millions takes seconds, and changes nothing for the reader. */
export const MAX_COUNTED = 10_000;

/** A count of at most {@link MAX_COUNTED} for people: '9,999', '10,000+'. */
export function cappedCount(count: number): string {
  return `${count.toLocaleString('en-US')}${count >= MAX_COUNTED ? '+' : ''}`;
}

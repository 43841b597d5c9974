/** Milliseconds of one endpoint, over a week before and a week after. */
export const percentiles = [
  { name: 'p50', before: 840, after: 84 },
  { name: 'p95', before: 6_200, after: 590 },
  { name: 'p99', before: 12_430, after: 1_180 },
] as const;

/** Requests per second at the peak, the same in both weeks. */
export const PEAK_RATE = 38;
export const means = { before: 1_900, after: 180 };

/** Little's law: requests in flight are their rate times their mean duration. */
export function inFlight(meanMs: number): number {
  return Math.round((PEAK_RATE * meanMs) / 1000);
}

export const machines = { before: 32, after: 16 };

/** '10.5x': how many times less one is than the other. */
export function factor(before: number, after: number): string {
  return `${(before / after).toFixed(1)}x`;
}

const AXIS = { from: 50, to: 20_000 };
export const ticks = [
  { ms: 100, label: '100 ms' },
  { ms: 1_000, label: '1 s' },
  { ms: 10_000, label: '10 s' },
] as const;

/** Position of a duration on the logarithmic axis, in percent of its width. */
export function place(ms: number): number {
  return Math.round((Math.log(ms / AXIS.from) / Math.log(AXIS.to / AXIS.from)) * 1000) / 10;
}

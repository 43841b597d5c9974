import { DAY_MS, HOUR_MS, MINUTE_MS } from './durations.ts';

/** When the provider is asked about an unsettled order, ms after it was placed. The last is its expiry. */
const checkSchedule = [
  2 * MINUTE_MS,
  10 * MINUTE_MS,
  30 * MINUTE_MS,
  HOUR_MS,
  3 * HOUR_MS,
  6 * HOUR_MS,
  12 * HOUR_MS,
  DAY_MS,
] as const;

export const firstCheckDelayMs = checkSchedule[0];

/** Age at which an unpaid order is canceled, at the provider first. */
export const expiryMs = DAY_MS;

/** When an order of this age is checked next, ms after it was placed; after the schedule, daily. Missed checks are skipped. */
export function nextCheckAfter(ageMs: number): number {
  const scheduled = checkSchedule.find((dueMs) => dueMs > ageMs);
  return scheduled ?? expiryMs + (Math.floor((ageMs - expiryMs) / DAY_MS) + 1) * DAY_MS;
}

const SETTLED_EVERY_MS = 7 * DAY_MS;
/** Card networks and PayPal let a buyer dispute a payment for up to 180 days. */
const DISPUTABLE_MS = 180 * DAY_MS;

/** When a settled order is checked again, ms from now: weekly while it can be disputed; null after that. */
export function nextSettledCheckAfter(ageMs: number): number | null {
  return ageMs < DISPUTABLE_MS ? SETTLED_EVERY_MS : null;
}

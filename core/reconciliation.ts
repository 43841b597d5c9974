const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** When the provider is asked about an unsettled order, ms after it was placed. The last is its expiry. */
export const checkSchedule = [
  2 * MINUTE_MS,
  10 * MINUTE_MS,
  30 * MINUTE_MS,
  HOUR_MS,
  3 * HOUR_MS,
  6 * HOUR_MS,
  12 * HOUR_MS,
  24 * HOUR_MS,
] as const;

export const firstCheckDelayMs = checkSchedule[0];

/** Age at which an unpaid order is canceled, at the provider first. */
export const expiryMs = 24 * HOUR_MS;

/** When the next check is due, ms after the order was placed; after the schedule, daily. */
export function nextCheckAfter(checksDone: number): number {
  const scheduled = checkSchedule[checksDone];
  return scheduled ?? expiryMs + (checksDone - checkSchedule.length + 1) * 24 * HOUR_MS;
}

const SETTLED_EVERY_MS = 7 * 24 * HOUR_MS;
/** Card networks and PayPal let a buyer dispute a payment for up to 180 days. */
const DISPUTABLE_MS = 180 * 24 * HOUR_MS;

/** When a settled order is checked again, ms from now: weekly while it can be disputed; null after that. */
export function nextSettledCheckAfter(ageMs: number): number | null {
  return ageMs < DISPUTABLE_MS ? SETTLED_EVERY_MS : null;
}

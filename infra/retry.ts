import { isOutage } from './outage.ts';

/** The job cannot run yet, through no fault; retry after `inMs`, or with the usual backoff. */
export class RetryLater extends Error {
  readonly inMs: number | undefined;
  constructor(message: string, inMs?: number) {
    super(message);
    this.name = 'RetryLater';
    this.inMs = inMs;
  }
}

/** Retrying cannot help: dead-letter the job at once. */
export class PermanentFailure extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'PermanentFailure';
  }
}

const DAY_MS = 24 * 3_600_000;
const MAX_ATTEMPTS = 8;

/**
 * When a failed job runs again, in ms; null buries it. Outages are tried every few seconds at first, so that work
 * resumes soon after they end, then more rarely, for a day. An error that is none of an outage
 * is a bug: it gets a few tries, then waits for an operator.
 */
export function retryDelay(
  error: unknown,
  attempts: number,
  ageMs: number,
  random = Math.random,
): number | null {
  if (error instanceof PermanentFailure) return null;
  if (ageMs > DAY_MS) return null;
  if (error instanceof RetryLater && error.inMs !== undefined) return error.inMs;
  if (!(error instanceof RetryLater) && !isOutage(error) && attempts >= MAX_ATTEMPTS) return null;
  return Math.round(backoffMs(attempts) * (0.75 + random() / 2));
}

function backoffMs(attempts: number): number {
  if (attempts < 4) return 1_000 * 2 ** attempts;
  if (attempts < 20) return 10_000;
  if (attempts < 40) return 60_000;
  return 600_000;
}

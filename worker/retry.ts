import { isOutage } from '../infra/outage.ts';

/** The job cannot be done yet, for a reason that is nobody's fault; it is tried again after `inMs`. */
export class NotYet extends Error {
  readonly inMs: number | undefined;
  constructor(message: string, inMs?: number) {
    super(message);
    this.name = 'NotYet';
    this.inMs = inMs;
  }
}

/** A fact that trying again does not change: the job becomes a dead letter at once. */
export class GivenUp extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'GivenUp';
  }
}

const DAY_MS = 24 * 3_600_000;
const MOST_ATTEMPTS_OF_A_BUG = 8;

/**
 * When a failed job runs again, in ms; null buries it. Outages are tried every few seconds at first, so that work
 * resumes soon after they end (reliability.md G5), then more rarely, for a day. An error that is none of an outage
 * is a bug: it gets a few tries, then waits for an operator.
 */
export function retryDelay(
  error: unknown,
  attempts: number,
  ageMs: number,
  random = Math.random,
): number | null {
  if (error instanceof GivenUp) return null;
  if (ageMs > DAY_MS) return null;
  if (error instanceof NotYet && error.inMs !== undefined) return error.inMs;
  if (!(error instanceof NotYet) && !isOutage(error) && attempts >= MOST_ATTEMPTS_OF_A_BUG) return null;
  return Math.round(backoffMs(attempts) * (0.75 + random() / 2));
}

function backoffMs(attempts: number): number {
  if (attempts < 4) return 1_000 * 2 ** attempts;
  if (attempts < 20) return 10_000;
  if (attempts < 40) return 60_000;
  return 600_000;
}

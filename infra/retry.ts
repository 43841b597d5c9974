import { isOutage } from './outage.ts';

/** The job cannot run yet, but nothing failed. Retry after `inMs`, or with the usual backoff. */
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

const MAX_FAILING_MS = 24 * 3_600_000;
const MIN_ATTEMPTS = 8;

interface Failures {
  /** Failed runs before this one. */
  attempts: number;
  /** Time since the first of them, by the database's clock. */
  failingForMs: number;
}

interface RetryOptions {
  /** Before the first retry; doubles three times. */
  firstMs?: number | undefined;
  random?: () => number;
}

/**
 * Delay before the next run, ms; null makes the job a dead letter. Every failure but a permanent one is retried until
 * {@link MIN_ATTEMPTS}; outages and {@link RetryLater} continue for a day from the first failure, frequently at first so
 * that work resumes soon after an outage.
 */
export function retryDelay(
  error: unknown,
  { attempts, failingForMs }: Failures,
  { firstMs = 1_000, random = Math.random }: RetryOptions = {},
): number | null {
  if (error instanceof PermanentFailure) return null;
  const isTransient = error instanceof RetryLater || isOutage(error);
  const mayGoOn = isTransient && failingForMs < MAX_FAILING_MS;
  if (!mayGoOn && attempts + 1 >= MIN_ATTEMPTS) return null;
  if (error instanceof RetryLater && error.inMs !== undefined) return error.inMs;
  return Math.round(backoffMs(attempts, firstMs) * (0.75 + random() / 2));
}

function backoffMs(attempts: number, firstMs: number): number {
  if (attempts < 4) return firstMs * 2 ** attempts;
  if (attempts < 20) return 10_000;
  if (attempts < 40) return 60_000;
  return 600_000;
}

import { DatabaseOverloaded } from '../db/batches.ts';
import { isConnectionFailure, isServerFailure } from '../db/database.ts';
import { EventLost } from '../db/receive-event.ts';
import { DeadlineExceeded } from './deadline.ts';

const networkCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ETIMEDOUT',
  'EPIPE',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ECONNECTION',
  'ESOCKET',
  'EDNS',
]);

/** Of PostgreSQL: serialization failures, deadlocks, lock timeouts. */
const conflicts = new Set(['40001', '40P01', '55P03']);

/** Whether a dependency is unavailable or overloaded, as opposed to a bug of ours. */
export function isOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, syscall, type, statusCode, responseCode } = error as Error & {
    code?: string;
    syscall?: string;
    type?: string;
    statusCode?: number;
    responseCode?: number;
  };
  if (type === 'StripeConnectionError' || type === 'StripeAPIError' || type === 'StripeRateLimitError')
    return true;
  if (statusCode !== undefined && (statusCode >= 500 || statusCode === 429)) return true;
  if (code && networkCodes.has(code)) return true;
  // A Unix socket, as managed databases offer, is a file that goes with its server.
  if (code === 'ENOENT' && syscall === 'connect') return true;
  // SMTP: the mail is deferred, or our login is refused. A mail that is refused permanently is a MailRefused.
  if (responseCode !== undefined) return true;
  if ([DatabaseOverloaded, DeadlineExceeded, EventLost].some((type) => error instanceof type)) return true;
  if (code && (isServerFailure(code) || conflicts.has(code))) return true;
  return isConnectionFailure(error.message);
}

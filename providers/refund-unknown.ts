import { RetryLater } from '../infra/retry.ts';
import { ProviderBusy } from './bulkhead.ts';
import { ProviderError } from './provider-error.ts';

/** The provider may have made the refund or may still make it. The job checks for a day, then alerts staff. */
export class RefundUnknown extends RetryLater {
  constructor(reason: string, options?: ErrorOptions) {
    super(`the refund may have been made, or may be made later: ${reason}`);
    this.name = 'RefundUnknown';
    this.cause = options?.cause;
  }
}

/** Turns an error without an answer, or with a 5xx, into RefundUnknown. */
export function asRefundError(error: unknown): unknown {
  if (!(error instanceof ProviderError) || error instanceof ProviderBusy) return error;
  return (error.statusCode ?? 500) >= 500 ? new RefundUnknown(error.message, { cause: error }) : error;
}

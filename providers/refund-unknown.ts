import { RetryLater } from '../infra/retry.ts';
import { ProviderBusy } from './bulkhead.ts';
import { ProviderError } from './provider-error.ts';

/** The provider may have made the refund, or may still make it. The job looks again for a day, then staff have to. */
export class RefundUnknown extends RetryLater {
  constructor(reason: string, options?: ErrorOptions) {
    super(`the refund may have been made, or may be made later: ${reason}`);
    this.name = 'RefundUnknown';
    this.cause = options?.cause;
  }
}

/** The error of a call for a refund. Without an answer, or after a 5xx, what became of the refund is unknown. */
export function asRefundError(error: unknown): unknown {
  if (!(error instanceof ProviderError) || error instanceof ProviderBusy) return error;
  return (error.statusCode ?? 500) >= 500 ? new RefundUnknown(error.message, { cause: error }) : error;
}

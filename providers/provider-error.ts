import type { PaymentMethod } from '../core/orders.ts';

/** A provider refused a call or did not answer it. */
export class ProviderError extends Error {
  readonly provider: PaymentMethod;
  /** The provider's HTTP status; undefined when no answer came: the request may or may not have taken effect. */
  readonly statusCode: number | undefined;
  /** The provider's name for the reason, such as `INSTRUMENT_DECLINED` or `charge_already_refunded`. */
  readonly reason: string | undefined;
  /** `ETIMEDOUT` without an answer, so that it counts as an outage. */
  readonly code: string | undefined;
  constructor(
    provider: PaymentMethod,
    message: string,
    options: { statusCode?: number; reason?: string; cause: unknown },
  ) {
    super(message, { cause: options.cause });
    this.name = 'ProviderError';
    this.provider = provider;
    this.statusCode = options.statusCode;
    this.reason = options.reason;
    this.code = options.statusCode === undefined ? 'ETIMEDOUT' : undefined;
  }
}

export function isNotFound(error: unknown): boolean {
  return error instanceof ProviderError && error.statusCode === 404;
}

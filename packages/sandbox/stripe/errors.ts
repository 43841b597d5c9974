import type Stripe from 'stripe';

interface StripeErrorDetails {
  type: 'invalid_request_error' | 'card_error' | 'idempotency_error' | 'api_error';
  message: string;
  code?: string;
  decline_code?: string;
  advice_code?: string;
  param?: string;
  charge?: string;
  payment_intent?: Stripe.PaymentIntent;
  payment_method?: Stripe.PaymentMethod;
}

export class StripeApiError extends Error {
  readonly status: number;
  readonly details: StripeErrorDetails;
  /** Whether the answer is stored under the idempotency key: only if work was started. */
  readonly kept: boolean;

  constructor(status: number, details: StripeErrorDetails, kept = false) {
    super(details.message);
    this.status = status;
    this.details = details;
    this.kept = kept;
  }

  body(): { error: StripeErrorDetails & { doc_url?: string } } {
    const { code } = this.details;
    const docs = code ? { doc_url: `https://stripe.com/docs/error-codes/${code.replaceAll('_', '-')}` } : {};
    return { error: { ...this.details, ...docs } };
  }
}

/** A 500 with an unknown outcome. */
export function unknownError(): StripeApiError {
  return new StripeApiError(500, { type: 'api_error', message: 'An unknown error occurred.' }, true);
}

export function parameterMissing(param: string): StripeApiError {
  const message = `Missing required param: ${param}.`;
  return new StripeApiError(400, {
    type: 'invalid_request_error',
    code: 'parameter_missing',
    message,
    param,
  });
}

export function parameterUnknown(param: string): StripeApiError {
  const message = `Received unknown parameter: ${param}`;
  return new StripeApiError(400, {
    type: 'invalid_request_error',
    code: 'parameter_unknown',
    message,
    param,
  });
}

export function parameterInvalid(param: string, message: string, code?: string): StripeApiError {
  return new StripeApiError(400, { type: 'invalid_request_error', code, message, param });
}

export function resourceMissing(kind: string, id: string, param = 'id'): StripeApiError {
  const message = `No such ${kind}: '${id}'`;
  return new StripeApiError(404, { type: 'invalid_request_error', code: 'resource_missing', message, param });
}

export function unexpectedState(message: string, intent: Stripe.PaymentIntent): StripeApiError {
  const code = 'payment_intent_unexpected_state';
  const details = { type: 'invalid_request_error', code, message, payment_intent: intent } as const;
  return new StripeApiError(400, details, true);
}

export function refusedRefund(message: string, code?: string): StripeApiError {
  return new StripeApiError(400, { type: 'invalid_request_error', code, message }, true);
}

import { randomText } from '../ids.ts';

interface ErrorDetails {
  issue: string;
  description?: string;
  field?: string;
  value?: string;
  location?: 'body' | 'path' | 'query';
}

export class PayPalApiError extends Error {
  readonly status: number;
  readonly body: {
    name: string;
    message: string;
    debug_id: string;
    details?: ErrorDetails[];
    links: object[];
  };

  constructor(status: keyof typeof kinds, details?: ErrorDetails, links: object[] = []) {
    const [name, message] = kinds[status];
    super(`${name} ${details?.issue ?? ''}`);
    this.status = status;
    const described = details && { description: descriptions[details.issue], ...details };
    this.body = {
      name,
      message,
      debug_id: randomText(13).toLowerCase(),
      details: described && [described],
      links,
    };
  }
}

export function badRequest(issue: string, at: Partial<ErrorDetails> = {}): PayPalApiError {
  return new PayPalApiError(400, { issue, location: 'body', ...at });
}

export function unprocessable(
  issue: string,
  at: Partial<ErrorDetails> = {},
  links?: object[],
): PayPalApiError {
  return new PayPalApiError(422, { issue, ...at }, links);
}

export function notFound(value: string): PayPalApiError {
  return new PayPalApiError(404, { issue: 'INVALID_RESOURCE_ID', field: 'id', value, location: 'path' });
}

const kinds = {
  400: ['INVALID_REQUEST', 'Request is not well-formed, syntactically incorrect, or violates schema.'],
  401: [
    'AUTHENTICATION_FAILURE',
    'Authentication failed due to missing authorization header, or invalid authentication credentials.',
  ],
  404: ['RESOURCE_NOT_FOUND', 'The specified resource does not exist.'],
  409: ['RESOURCE_CONFLICT', 'The server has detected a conflict while processing this request.'],
  415: ['UNSUPPORTED_MEDIA_TYPE', 'The server does not support the request payload’s media type.'],
  422: [
    'UNPROCESSABLE_ENTITY',
    'The requested action could not be performed, semantically incorrect, or failed business validation.',
  ],
  500: ['INTERNAL_SERVER_ERROR', 'An internal server error occurred.'],
} as const;

const descriptions: Record<string, string> = {
  AMOUNT_MISMATCH:
    'Should equal item_total + tax_total + shipping + handling + insurance - shipping_discount - discount.',
  CANNOT_BE_ZERO_OR_NEGATIVE:
    'Must be greater than zero. If the currency supports decimals, only two decimal place precision is supported.',
  CAPTURE_FULLY_REFUNDED: 'The capture has already been fully refunded',
  DECIMAL_PRECISION: 'If the currency supports decimals, only two decimal place precision is supported.',
  DUPLICATE_INVOICE_ID:
    'Duplicate Invoice ID detected. To avoid a potential duplicate transaction your account setting requires that Invoice Id be unique for each transaction.',
  INSTRUMENT_DECLINED:
    "The instrument presented  was either declined by the processor or bank, or it can't be used for this payment.",
  INVALID_CURRENCY_CODE:
    'Currency code is invalid or is not currently supported. Please refer https://developer.paypal.com/api/rest/reference/currency-codes/ for list of supported currency codes.',
  INVALID_PARAMETER_SYNTAX: 'The value of a field does not conform to the expected format.',
  INVALID_PARAMETER_VALUE: 'A parameter value is not valid.',
  INVALID_RESOURCE_ID: 'Specified resource ID does not exist. Please check the resource ID and try again.',
  INVALID_STRING_LENGTH: 'The value of a field is either too short or too long',
  MALFORMED_REQUEST_JSON: 'The request JSON is not well formed.',
  MISSING_REQUIRED_PARAMETER: 'A required parameter is missing.',
  NOT_SUPPORTED: 'This field is not currently supported.',
  ORDER_ALREADY_CAPTURED: "Order already captured.If 'intent=CAPTURE' only one capture per order is allowed.",
  ORDER_NOT_APPROVED:
    "Payer has not yet approved the Order for payment. Please redirect the payer to the 'rel':'approve' url returned as part of the HATEOAS links within the Create Order call or provide a valid `payment_source` in the request.",
  PAYPAL_REQUEST_ID_REQUIRED:
    "A PayPal-Request-Id is required if you are trying to process payment for an Order. Please specify a PayPal-Request-Id or Create the Order without a 'payment_source' specified.",
  PENDING_CAPTURE:
    'Cannot initiate a refund as the capture is pending. Capture is typically pending when the payer has funded the transaction using e-check/bank funded.',
  REFUND_AMOUNT_EXCEEDED:
    'The refund amount must be less than or equal to the capture amount that has not yet been refunded.',
  REFUND_CAPTURE_CURRENCY_MISMATCH: 'Refund must be in the same currency as the capture',
  REFUND_FAILED_INSUFFICIENT_FUNDS:
    'Capture could not be refunded due to insufficient funds. Please check to see if you have sufficient funds in your PayPal account or if the bank account linked to your PayPal account is verified and has sufficient funds.',
  REFUND_IS_RESTRICTED:
    "This refund can only be processed by the API caller that had 'captured' the transaction. If you facilitate your transactions via a platform/partner, please initiate a refund through them.",
  REFUND_NOT_ALLOWED: 'Capture cannot be refunded.',
  REFUND_NOT_PERMITTED_DUE_TO_CHARGEBACK:
    'Refunds are not allowed on this capture due to a chargeback on the card or bank. Please contact the payee to resolve the chargeback.',
  TRANSACTION_DISPUTED:
    'Partial refunds cannot be offered at this time because there is an open case on this transaction. Visit the PayPal Resolution Center to review this case.',
};

/**
 * What each issue of PayPal's capture call (Orders v2, `POST /v2/checkout/orders/{id}/capture`, 403 and 422) means here:
 * - `captured`: PayPal has the money already; its order shows the capture.
 * - `pending`: PayPal is still at work; ask again later.
 * - `not approved`: the buyer has not approved, or has to act again in PayPal's window.
 * - `retry`: the buyer can choose another way to pay in PayPal's window, as PayPal documents for INSTRUMENT_DECLINED.
 * - `other method`: PayPal will not take this payment from this buyer; another method may work.
 * - `ours`: our account or our request is at fault; staff have to look at it.
 */
type CaptureOutcome = 'captured' | 'pending' | 'not approved' | 'retry' | 'other method' | 'ours';

const outcomes: Record<CaptureOutcome, readonly string[]> = {
  captured: ['ORDER_ALREADY_CAPTURED'],
  pending: ['ORDER_COMPLETION_IN_PROGRESS', 'PREVIOUS_REQUEST_IN_PROGRESS'],
  'not approved': ['ORDER_NOT_APPROVED', 'PAYER_ACTION_REQUIRED', 'CONSENT_NEEDED'],
  retry: [
    'INSTRUMENT_DECLINED',
    'REDIRECT_PAYER_FOR_ALTERNATE_FUNDING',
    'CARD_BRAND_NOT_SUPPORTED',
    'REFERENCED_CARD_EXPIRED',
    'BANK_NOT_SUPPORTED_FOR_VERIFICATION',
    'CURRENCY_NOT_SUPPORTED_FOR_BANK',
  ],
  'other method': [
    'AGREEMENT_ALREADY_CANCELLED',
    'COMPLIANCE_VIOLATION',
    'DECLINED_DUE_TO_RELATED_TXN',
    'DOMESTIC_TRANSACTION_REQUIRED',
    'MAX_NUMBER_OF_PAYMENT_ATTEMPTS_EXCEEDED',
    'PAYEE_BLOCKED_TRANSACTION',
    'PAYER_ACCOUNT_LOCKED_OR_CLOSED',
    'PAYER_ACCOUNT_RESTRICTED',
    'PAYER_CANNOT_PAY',
    'PLATFORM_FEE_PAYEE_CANNOT_BE_SAME_AS_PAYER',
    'TRANSACTION_BLOCKED_BY_PAYEE',
    'TRANSACTION_LIMIT_EXCEEDED',
    'TRANSACTION_REFUSED',
  ],
  ours: [
    // Another PayPal order with our invoice id was paid.
    'DUPLICATE_INVOICE_ID',
    // What the account may do.
    'AUTH_CAPTURE_NOT_ENABLED',
    'NOT_ELIGIBLE_FOR_PAYPAL_TRANSACTION_ID_PROCESSING',
    'NOT_ELIGIBLE_FOR_PNREF_PROCESSING',
    'NOT_ELIGIBLE_FOR_TOKEN_PROCESSING',
    'NOT_ENABLED_FOR_BANK_PROCESSING',
    'NOT_ENABLED_FOR_CARD_PROCESSING',
    'PAYEE_FX_RATE_ID_EXPIRED',
    'PAYEE_NOT_ENABLED_FOR_BANK_PROCESSING',
    'PAYEE_NOT_ENABLED_FOR_CARD_PROCESSING',
    'PERMISSION_DENIED',
    'PERMISSION_DENIED_FOR_DONATION_ITEMS',
    'SETUP_ERROR_FOR_BANK',
    'TRANSACTION_RECEIVING_LIMIT_EXCEEDED',
    // Faults of the request. We send neither cards nor vaulted methods.
    'APPLE_PAY_AMOUNT_MISMATCH',
    'BILLING_AGREEMENT_ID_MISMATCH',
    'BILLING_AGREEMENT_NOT_FOUND',
    'CANCEL_URL_REQUIRED',
    'CARD_EXPIRY_REQUIRED',
    'CARD_NUMBER_REQUIRED',
    'IBAN_COUNTRY_NOT_SUPPORTED',
    'IDENTIFIER_NOT_FOUND',
    'INCOMPATIBLE_PARAMETER_VALUE',
    'INVALID_IBAN',
    'INVALID_PICKUP_ADDRESS',
    'INVALID_PREVIOUS_TRANSACTION_REFERENCE',
    'INVALID_SECURITY_CODE_LENGTH',
    'MERCHANT_INITIATED_WITH_AUTHENTICATION_RESULTS',
    'MERCHANT_INITIATED_WITH_MULTIPLE_PURCHASE_UNITS',
    'MERCHANT_INITIATED_WITH_SECURITY_CODE',
    'MISMATCHED_VAULT_ID_TO_PAYMENT_SOURCE',
    'MISSING_CRYPTOGRAM',
    'MISSING_PREVIOUS_REFERENCE',
    'ONLY_ONE_BANK_SOURCE_ALLOWED',
    'PAYMENT_SOURCE_MISMATCH',
    'PAYMENT_SOURCE_NOT_SUPPORTED',
    'PAYPAL_TRANSACTION_ID_EXPIRED',
    'PAYPAL_TRANSACTION_ID_NOT_FOUND',
    'PNREF_EXPIRED',
    'PNREF_NOT_FOUND',
    'PREFERRED_PAYMENT_SOURCE_MISMATCH',
    'PREVIOUS_TRANSACTION_REFERENCE_HAS_CHARGEBACK',
    'PREVIOUS_TRANSACTION_REFERENCE_VOIDED',
    'REQUIRED_PARAMETER_FOR_CUSTOMER_INITIATED_PAYMENT',
    'RETURN_URL_REQUIRED',
    'SHIPPING_ADDRESS_INVALID',
    'TOKEN_ID_NOT_FOUND',
    'VAULT_INSTRUCTION_REQUIRED',
  ],
};

const outcomeByIssue = new Map<string | undefined, CaptureOutcome>(
  Object.entries(outcomes).flatMap(([outcome, issues]) =>
    issues.map((issue) => [issue, outcome as CaptureOutcome] as const),
  ),
);

/** The considered outcome of a refused capture; undefined for an issue that PayPal's document does not name. */
export function consideredOutcome(issue: string | undefined): CaptureOutcome | undefined {
  return outcomeByIssue.get(issue);
}

/** {@link consideredOutcome}, and an issue that is not listed is ours to look at. */
export function captureOutcome(issue: string | undefined): CaptureOutcome {
  return consideredOutcome(issue) ?? 'ours';
}

/** What the buyer can do about a payment that PayPal declined. */
export const declineReasons = {
  retry: 'PayPal declined this card or bank account. Please choose another one in the PayPal window.',
  'other method': 'PayPal could not take this payment. Please pay by card instead.',
} as const;

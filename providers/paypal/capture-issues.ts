/**
 * What each issue of PayPal's capture call (Orders v2, `POST /v2/checkout/orders/{id}/capture`, 403 and 422) means here:
 * - `captured`: PayPal has the money already; its order shows the capture.
 * - `pending`: PayPal is still at work; ask again later.
 * - `not approved`: the buyer has not approved, or has to act again in PayPal's window.
 * - `retry`: the buyer can choose another way to pay in PayPal's window, as PayPal documents for INSTRUMENT_DECLINED.
 * - `other method`: PayPal will not take this payment from this buyer; another method may work.
 * - `ours`: our account or our request is at fault; staff have to look at it.
 */
export type CaptureOutcome = 'captured' | 'pending' | 'not approved' | 'retry' | 'other method' | 'ours';

const outcomes: Record<Exclude<CaptureOutcome, 'ours'>, readonly string[]> = {
  captured: ['ORDER_ALREADY_CAPTURED', 'DUPLICATE_INVOICE_ID'],
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
};

const outcomeByIssue = new Map<string, CaptureOutcome>(
  Object.entries(outcomes).flatMap(([outcome, issues]) =>
    issues.map((issue) => [issue, outcome as CaptureOutcome] as const),
  ),
);

/** The considered outcome of a refused capture. Vaulting, bank set-up and all that is unknown is ours to look at. */
export function captureOutcome(issue: string | undefined): CaptureOutcome {
  return outcomeByIssue.get(issue ?? '') ?? 'ours';
}

/** What the buyer can do about a payment that PayPal declined. */
export const declineReasons = {
  retry: 'PayPal declined this card or bank account. Please choose another one in the PayPal window.',
  'other method': 'PayPal could not take this payment. Please pay by card instead.',
} as const;

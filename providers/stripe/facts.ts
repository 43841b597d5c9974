import { sum } from '../../core/order-money.ts';
import type { PaymentFact, RefundFact } from '../../core/payment-facts.ts';
import type { PaymentReport } from '../../core/payment-reports.ts';
import { idOf, type StripeDispute, type StripeIntent, type StripeRefund } from './resources.ts';

/** All that Stripe says about a payment. */
export function factsOfPayment(
  intent: StripeIntent,
  { refunds, disputes }: { refunds: StripeRefund[]; disputes: StripeDispute[] },
  observedAt: number,
): PaymentFact[] {
  const returned = refunds.map((refund) => factOfRefund(intent.id, refund, observedAt));
  const made = returned.filter(({ status }) => status === 'pending' || status === 'succeeded');
  const holdsMoney = sum(made.map(({ amount }) => amount)) < intent.amount_received;
  return [
    ...factsOfIntent(intent, observedAt),
    ...returned,
    ...disputes.map((dispute) => factOfDispute(intent.id, dispute, observedAt, holdsMoney)),
  ];
}

/** Facts in a PaymentIntent. Money is believed from any copy; the state of an attempt only from a fresh one. */
export function factsOfIntent(intent: StripeIntent, observedAt: number): PaymentFact[] {
  const method = methodOf(intent);
  const attempt = (status: 'processing' | 'failed' | 'canceled', reason: string | null): PaymentFact[] => [
    { kind: 'attempt', paymentId: intent.id, status, reason, observedAt, ...method },
  ];
  switch (intent.status) {
    case 'succeeded':
      return [
        {
          kind: 'captured',
          paymentId: intent.id,
          provider: 'stripe',
          captureId: idOf(intent.latest_charge),
          amount: intent.amount_received,
          currency: intent.currency.toUpperCase(),
          ...method,
        },
      ];
    case 'processing':
      return attempt('processing', null);
    case 'requires_action':
      // The bank verifies the account within one or two business days; until then the buyer has done their part.
      return awaitsMicrodeposits(intent) ? attempt('processing', null) : [];
    case 'canceled':
      return attempt('canceled', intent.cancellation_reason ?? null);
    case 'requires_payment_method':
      return intent.last_payment_error
        ? attempt('failed', intent.last_payment_error.message ?? 'The payment was declined.')
        : [];
    default:
      return [];
  }
}

/** Of a card none: an event has no charge, so that a report of it would differ from the event. */
function methodOf(intent: StripeIntent): { methodType?: string } {
  const type = typeOfMethod(intent);
  return type && type !== 'card' ? { methodType: type } : {};
}

/** An attempt that awaits or failed micro-deposits has no charge: the latest one belongs to an earlier attempt. */
function typeOfMethod(intent: StripeIntent): string | undefined {
  const { status, latest_charge: charge, last_payment_error: error, payment_method_types: allowed } = intent;
  if (awaitsMicrodeposits(intent)) return allowed?.find((type) => verifiedByMicrodeposits.has(type));
  const charged = typeof charge === 'object' ? charge?.payment_method_details?.type : undefined;
  return status === 'requires_payment_method' ? (error?.payment_method?.type ?? charged) : charged;
}

function awaitsMicrodeposits({ status, next_action }: StripeIntent): boolean {
  return status === 'requires_action' && next_action?.type === 'verify_with_microdeposits';
}

/**
 * Both are bank debits (https://docs.stripe.com/payments/ach-direct-debit, https://docs.stripe.com/payments/acss-debit). Only
 * the PaymentMethod tells which, and a restricted key may not be allowed to read it.
 */
const verifiedByMicrodeposits = new Set(['us_bank_account', 'acss_debit']);

export function stageOf({ status }: StripeIntent): PaymentReport['stage'] {
  return status === 'succeeded' || status === 'canceled' ? 'closed' : 'open';
}

export function factOfRefund(paymentId: string, refund: StripeRefund, observedAt: number): RefundFact {
  return {
    kind: 'refund',
    refundId: refund.id,
    paymentId,
    amount: refund.amount,
    status: refundStatuses[refund.status ?? ''] ?? 'pending',
    observedAt,
  };
}

/** `requires_action` waits for the buyer's bank details: pending to us. */
const refundStatuses: Record<string, 'pending' | 'succeeded' | 'failed' | 'canceled'> = {
  pending: 'pending',
  requires_action: 'pending',
  succeeded: 'succeeded',
  failed: 'failed',
  canceled: 'canceled',
};

/**
 * What a dispute says. An inquiry withdraws no money yet, and a full refund ends it: such a dispute is open, and refundable
 * (https://docs.stripe.com/api/disputes/object, is_charge_refundable).
 */
export function factOfDispute(
  paymentId: string,
  dispute: StripeDispute,
  observedAt: number,
  holdsMoney = false,
): Extract<PaymentFact, { kind: 'dispute' }> {
  const isReturned = isReturnedDebit(dispute);
  const isDue = !isReturned && awaitsEvidence.has(dispute.status);
  const dueBy = isDue ? dispute.evidence_details?.due_by : undefined;
  // 0 if the bank allows no response: https://docs.stripe.com/api/disputes/object, evidence_details.due_by.
  const isUncontestable = dueBy === 0 && dispute.status === 'needs_response';
  const outcome = outcomeOf(dispute);
  return {
    kind: 'dispute',
    disputeId: dispute.id,
    paymentId,
    amount: outcome === 'lost' ? amountLost(dispute) : dispute.amount,
    outcome,
    observedAt,
    // A refund ends inquiries only: during a chargeback Stripe refuses one.
    ...(dispute.status === 'won' || (outcome === 'won' && holdsMoney) ? { isDecided: true } : {}),
    ...(dispute.is_charge_refundable ? { isRefundable: true } : {}),
    ...(dispute.reason ? { reason: dispute.reason } : {}),
    ...(isReturned ? { isReturnedDebit: true } : {}),
    ...(isUncontestable ? { isUncontestable: true } : {}),
    ...(dueBy ? { evidenceDueAt: dueBy * 1000 } : {}),
  };
}

/**
 * Once evidence is submitted, a dispute is under review (https://docs.stripe.com/api/disputes/object). A lost one may be
 * appealed (https://docs.stripe.com/changelog/endive/2026-10-28/evidence-submission-appeal-dispute-decisions).
 */
const awaitsEvidence = new Set(['needs_response', 'warning_needs_response', 'appeal_needs_response']);

/**
 * The bank returned the debit of a payment that had succeeded: https://docs.stripe.com/payments/ach-direct-debit#disputed-payments,
 * reasons in https://docs.stripe.com/api/disputes/object. It is final with ACH
 * (https://support.stripe.com/questions/respond-to-or-contest-an-ach-direct-debit-dispute-as-a-merchant) and with SEPA
 * (https://support.stripe.com/questions/sepa-direct-debit-payment-disputes). What the buyer claims of an Instant Bank Payment
 * can be contested, and then evidence is due
 * (https://docs.stripe.com/payments/link/instant-bank-payments/disputed-payments).
 */
function isReturnedDebit({ reason, evidence_details: evidence }: StripeDispute): boolean {
  if (buyerClaims.has(reason ?? '')) return !evidence?.due_by;
  return bankFailures.has(reason ?? '');
}

const buyerClaims = new Set(['debit_not_authorized', 'customer_initiated']);

const bankFailures = new Set(['insufficient_funds', 'bank_cannot_process', 'incorrect_account_details']);

/**
 * A prevented dispute never becomes a chargeback: it was blocked, or resolved by returning the money
 * (https://docs.stripe.com/disputes/prevention-preview). Unless a refund returned it, the balance transactions show which.
 */
export function outcomeOf({ status, balance_transactions: moved }: StripeDispute): 'open' | 'won' | 'lost' {
  if (status === 'prevented') return netOf(moved ?? []) < 0 ? 'lost' : 'won';
  if (status === 'lost') return 'lost';
  return status === 'won' || status === 'warning_closed' ? 'won' : 'open';
}

/**
 * Cents that went back to the buyer. A dispute that is won in part is `lost`, too, and the part is reinstated
 * (https://support.stripe.com/questions/dispute-for-full-charge-amount-after-a-partial-refund-was-issued). Balance
 * transactions are in our account's currency (https://docs.stripe.com/api/disputes/object), and may be shown late.
 */
function amountLost({ amount, currency, balance_transactions: moved }: StripeDispute): number {
  const net = netOf((moved ?? []).filter((transaction) => transaction.currency === currency));
  return net < 0 ? -net : amount;
}

function netOf(transactions: { amount: number }[]): number {
  return sum(transactions.map(({ amount }) => amount));
}

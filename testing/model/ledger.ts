import type { RunningSandbox } from '@querywright/sandbox/testing';
import { fromDecimalString } from '../../core/money.ts';
import type { PaymentMethod } from '../../core/orders.ts';

/** One payment as its provider sees it. Amounts in cents. */
export interface LedgerPayment {
  id: string;
  provider: PaymentMethod;
  state: 'open' | 'approved' | 'processing' | 'taken' | 'over';
  /** The amount requested or taken. */
  amount: number;
  currency: string;
  /** Charge or capture. */
  captureId: string | undefined;
  refunds: LedgerRefund[];
  disputes: LedgerDispute[];
}

export interface LedgerRefund {
  id: string;
  amount: number;
  status: 'pending' | 'succeeded' | 'failed' | 'canceled';
}

export interface LedgerDispute {
  id: string;
  amount: number;
  outcome: 'open' | 'won' | 'lost';
}

/** Every payment that a provider made for this order: the judge compares with the provider's records, not with ours. */
export function readLedger(sandbox: RunningSandbox, orderId: string): LedgerPayment[] {
  return [...stripePayments(sandbox, orderId), ...paypalPayments(sandbox, orderId)];
}

const intentStates: Record<string, LedgerPayment['state']> = {
  succeeded: 'taken',
  processing: 'processing',
  canceled: 'over',
};

function stripePayments({ stripe }: RunningSandbox, orderId: string): LedgerPayment[] {
  const { paymentIntents, refunds, disputes } = stripe.state;
  const intents = [...paymentIntents.values()].filter(({ metadata }) => metadata.orderId === orderId);
  return intents.map(({ id, status, amount, currency, latest_charge, next_action }) => ({
    id,
    provider: 'stripe',
    amount,
    currency: currency.toUpperCase(),
    state:
      next_action?.type === 'verify_with_microdeposits' ? 'processing' : (intentStates[status] ?? 'open'),
    captureId: latest_charge ? String(latest_charge) : undefined,
    refunds: [...refunds.values()]
      .filter(({ payment_intent }) => payment_intent === id)
      .map((refund) => ({
        id: refund.id,
        amount: refund.amount,
        status: refund.status as LedgerRefund['status'],
      })),
    disputes: [...disputes.values()]
      .filter(({ payment_intent }) => payment_intent === id)
      .map((dispute) => ({ id: dispute.id, amount: dispute.amount, outcome: stripeOutcome(dispute.status) })),
  }));
}

function stripeOutcome(status: string): LedgerDispute['outcome'] {
  if (status === 'warning_closed') return 'won';
  return status === 'won' || status === 'lost' ? status : 'open';
}

const captureStates: Record<string, LedgerPayment['state']> = {
  COMPLETED: 'taken',
  PARTIALLY_REFUNDED: 'taken',
  REFUNDED: 'taken',
  PENDING: 'processing',
};

const refundStatuses: Record<string, LedgerRefund['status']> = {
  COMPLETED: 'succeeded',
  FAILED: 'failed',
  CANCELLED: 'canceled',
};

function paypalPayments({ paypal }: RunningSandbox, orderId: string): LedgerPayment[] {
  const { orders, refunds, captureOfRefund, disputes } = paypal.context.state;
  const ours = [...orders.values()].filter(({ purchase_units: [unit] }) => unit.custom_id === orderId);
  return ours.map(({ id, status, purchase_units: [unit] }) => {
    const capture = unit.payments?.captures?.[0];
    const { value, currency_code: currency } = (capture ?? unit).amount;
    const uncaptured = status === 'APPROVED' ? 'approved' : 'open';
    return {
      id,
      provider: 'paypal',
      amount: fromDecimalString(value),
      currency,
      state: capture ? (captureStates[capture.status] ?? 'over') : uncaptured,
      captureId: capture?.id,
      refunds: [...refunds.values()]
        .filter((refund) => capture && captureOfRefund.get(refund.id) === capture.id)
        .map((refund) => ({
          id: refund.id,
          amount: fromDecimalString(refund.amount.value),
          status: refundStatuses[refund.status] ?? 'pending',
        })),
      disputes: [...disputes.values()]
        .filter(({ disputed_transactions: [disputed] }) => disputed?.seller_transaction_id === capture?.id)
        .map(({ dispute_id, dispute_amount: disputed, dispute_outcome: end }) => {
          const outcome = paypalOutcome(end?.outcome_code);
          const { value } = (outcome === 'lost' && end?.amount_refunded) || disputed;
          return { id: dispute_id, amount: fromDecimalString(value), outcome };
        }),
    };
  });
}

function paypalOutcome(code: string | undefined): LedgerDispute['outcome'] {
  if (!code) return 'open';
  return code === 'RESOLVED_BUYER_FAVOUR' ? 'lost' : 'won';
}

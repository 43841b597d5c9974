import { findCapture } from './captures.ts';
import type { PayPalContext } from './context.ts';
import { notFound, unprocessable } from './errors.ts';
import { link } from './link.ts';
import { centsOf, moneyOf } from './money.ts';
import { closeCase } from './open-cases.ts';
import { readMoney } from './orders.ts';
import { cancelReversal, refundedCents, reverseCapture } from './refunds.ts';
import { payPalNow } from './state.ts';
import type { PayPalDispute } from './types.ts';

const RESPONSE_TIME_MS = 10 * 86_400_000;

export function openDispute(
  ctx: PayPalContext,
  captureId: string,
  { reason, channel }: { reason: string; channel: PayPalDispute['dispute_channel'] },
): PayPalDispute {
  const capture = findCapture(ctx, captureId);
  const left = centsOf(capture.amount) - refundedCents(ctx, captureId);
  if (left === 0 || capture.status === 'PENDING') throw unprocessable('REFUND_NOT_ALLOWED');
  const id = `PP-D-${100_000 + ctx.state.disputes.size}`;
  const dispute: PayPalDispute = {
    dispute_id: id,
    create_time: new Date().toISOString(),
    update_time: new Date().toISOString(),
    disputed_transactions: [
      {
        seller_transaction_id: captureId,
        invoice_number: capture.invoice_id,
        custom: capture.custom_id,
        transaction_status: 'COMPLETED',
        gross_amount: capture.amount,
      },
    ],
    reason,
    status: 'WAITING_FOR_SELLER_RESPONSE',
    seller_response_due_date: new Date(Date.now() + RESPONSE_TIME_MS).toISOString(),
    dispute_amount: moneyOf(left, capture.amount.currency_code),
    dispute_life_cycle_stage: 'CHARGEBACK',
    dispute_channel: channel,
    links: [link(ctx, 'self', `/v1/customer/disputes/${id}`)],
  };
  ctx.state.disputes.set(id, dispute);
  ctx.events.emit('CUSTOMER.DISPUTE.CREATED', 'dispute', `A new dispute opened with Case # ${id}`, dispute);
  return dispute;
}

/** What the seller does in the Resolution Center. */
export function provideEvidence(ctx: PayPalContext, id: string): PayPalDispute {
  const dispute = findDispute(ctx, id);
  if (dispute.status !== 'WAITING_FOR_SELLER_RESPONSE') throw unprocessable('REFUND_NOT_ALLOWED');
  dispute.status = 'UNDER_REVIEW';
  dispute.update_time = payPalNow();
  ctx.events.emit('CUSTOMER.DISPUTE.UPDATED', 'dispute', `A dispute was updated with case # ${id}`, dispute);
  return dispute;
}

/** PayPal asks for more evidence (https://developer.paypal.com/api/customer-disputes/v1/disputes-require-evidence). */
export function requireEvidence(ctx: PayPalContext, id: string): PayPalDispute {
  const dispute = findDispute(ctx, id);
  if (dispute.status !== 'UNDER_REVIEW') throw unprocessable('REFUND_NOT_ALLOWED');
  dispute.status = 'WAITING_FOR_SELLER_RESPONSE';
  dispute.seller_response_due_date = new Date(Date.now() + 2 * RESPONSE_TIME_MS).toISOString();
  dispute.update_time = payPalNow();
  ctx.events.emit('CUSTOMER.DISPUTE.UPDATED', 'dispute', `A dispute was updated with case # ${id}`, dispute);
  return dispute;
}

const outcomeCodes = {
  won: 'RESOLVED_SELLER_FAVOUR',
  lost: 'RESOLVED_BUYER_FAVOUR',
  none: 'NONE',
  payout: 'RESOLVED_WITH_PAYOUT',
} as const;
type DisputeEnd = keyof typeof outcomeCodes;
export const disputeEnds = Object.keys(outcomeCodes) as DisputeEnd[];

/**
 * PayPal decides, and may decide again after an appeal. A lost case is also a reversal of the capture, or of the part on which
 * buyer and seller agreed; won on appeal, the reversal is canceled
 * (https://developer.paypal.com/api/nvp-soap/ipn/IPNandPDTVariables/, Canceled_Reversal).
 */
export function resolveDispute(
  ctx: PayPalContext,
  id: string,
  outcome: DisputeEnd,
  part?: unknown,
): PayPalDispute {
  const dispute = findDispute(ctx, id);
  const before = dispute.dispute_outcome?.outcome_code;
  const booking = ctx.state.reversalOfDispute.get(id);
  const isAppeal =
    (outcome === 'lost' && before === 'RESOLVED_SELLER_FAVOUR') ||
    (outcome === 'won' && booking !== undefined);
  if (dispute.status === 'RESOLVED' && !isAppeal) throw unprocessable('REFUND_NOT_ALLOWED');
  const { currency_code: currency } = dispute.dispute_amount;
  const captureId = dispute.disputed_transactions[0]?.seller_transaction_id ?? '';
  const capture = findCapture(ctx, captureId);
  const left = centsOf(capture.amount) - refundedCents(ctx, captureId);
  const agreed = part ? readMoney(Object(part), '/amount') : dispute.dispute_amount;
  const taken = outcome === 'lost' ? Math.min(left, centsOf(agreed)) : 0;
  const isBooked = taken > 0 && !ctx.behaviors.consume('paypal-unbooked-dispute', id);
  if (booking) cancelReversal(ctx, capture, booking);
  ctx.state.reversalOfDispute.delete(id);
  if (isBooked) {
    const { id: reversal } = reverseCapture(ctx, captureId, { amount: moneyOf(taken, currency) });
    ctx.state.reversalOfDispute.set(id, reversal);
  }
  closeCase(ctx, dispute, {
    outcome_code: outcomeCodes[outcome],
    amount_refunded: moneyOf(taken, currency),
  });
  return dispute;
}

/**
 * Summaries of the disputes of one transaction
 * (https://developer.paypal.com/api/customer-disputes/v1/disputes-list).
 */
export function listDisputes(
  ctx: PayPalContext,
  { disputed_transaction_id: transaction }: Record<string, unknown>,
) {
  const found = [...ctx.state.disputes.values()].filter(
    ({ disputed_transactions: disputed }) =>
      transaction === undefined || disputed.some(({ seller_transaction_id: id }) => id === transaction),
  );
  return { items: found.map(summaryOf), links: [link(ctx, 'self', '/v1/customer/disputes')] };
}

function summaryOf({ disputed_transactions: _, dispute_outcome: __, ...dispute }: PayPalDispute) {
  const { seller_response_due_date: ___, ...summary } = dispute;
  return summary;
}

/** A closed one may be shown as it was before. */
export function showDispute(ctx: PayPalContext, id: string): PayPalDispute {
  const found = findDispute(ctx, id);
  const { dispute_outcome: outcome, ...dispute } = found;
  if (!outcome) return found;
  const captureId = found.disputed_transactions[0]?.seller_transaction_id;
  if (ctx.behaviors.consume('paypal-late-outcome', captureId)) return { ...dispute, status: 'UNDER_REVIEW' };
  if (!ctx.behaviors.consume('paypal-late-appeal', captureId)) return found;
  const lost = { outcome_code: 'RESOLVED_BUYER_FAVOUR', amount_refunded: dispute.dispute_amount } as const;
  return { ...dispute, update_time: dispute.create_time, dispute_outcome: lost };
}

export function findDispute(ctx: PayPalContext, id: string): PayPalDispute {
  const dispute = ctx.state.disputes.get(id);
  if (!dispute) throw notFound(id);
  return dispute;
}

import type { PayPalContext } from './context.ts';
import { unprocessable } from './errors.ts';
import { payPalNow } from './state.ts';
import type { PayPalDispute } from './types.ts';

/**
 * When PayPal refuses a refund: always during a chargeback, if it is partial during an open case
 * (https://developer.paypal.com/api/payments/v2/#captures_refund), and always once PayPal reviews the case
 * (https://www.paypal.com/be/smarthelp/article/faq434).
 */
export function refuseWhileDisputed(ctx: PayPalContext, captureId: string, isFull: boolean): void {
  for (const { dispute_channel, status } of openCases(ctx, captureId)) {
    if (dispute_channel === 'EXTERNAL') throw unprocessable('REFUND_NOT_PERMITTED_DUE_TO_CHARGEBACK');
    if (!isFull || status === 'UNDER_REVIEW') throw unprocessable('TRANSACTION_DISPUTED');
  }
}

/** A full refund closes the case. */
export function closeByRefund(ctx: PayPalContext, captureId: string): void {
  for (const dispute of openCases(ctx, captureId)) {
    closeCase(ctx, dispute, {
      outcome_code: 'RESOLVED_BUYER_FAVOUR',
      amount_refunded: dispute.dispute_amount,
    });
  }
}

export function closeCase(
  ctx: PayPalContext,
  dispute: PayPalDispute,
  outcome: NonNullable<PayPalDispute['dispute_outcome']>,
): void {
  dispute.status = 'RESOLVED';
  dispute.update_time = payPalNow();
  dispute.dispute_outcome = outcome;
  const summary = `A dispute was resolved with case # ${dispute.dispute_id}`;
  ctx.events.emit('CUSTOMER.DISPUTE.RESOLVED', 'dispute', summary, dispute);
}

function openCases({ state }: PayPalContext, captureId: string): PayPalDispute[] {
  return [...state.disputes.values()].filter(
    ({ status, disputed_transactions: disputed }) =>
      status !== 'RESOLVED' && disputed.some(({ seller_transaction_id: id }) => id === captureId),
  );
}

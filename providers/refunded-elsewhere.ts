import type { PaymentMethod } from '../core/orders.ts';
import { PermanentFailure } from '../infra/retry.ts';
import type { RefundRequest } from './gateway.ts';

/** A refund of a payment as its provider lists it: `key` is that of our request, if it was one. */
export interface ListedRefund {
  id: string;
  key: string | undefined;
  /** It failed or was canceled: the money is still with us. */
  hasFailed: boolean;
}

/** The payment has a refund that was not known when ours was requested: making both may pay the buyer twice. */
export class RefundedElsewhere extends PermanentFailure {
  constructor(provider: PaymentMethod, refundId: string) {
    super(`${provider} has refund ${refundId}, which was not known when this one was requested`);
    this.name = 'RefundedElsewhere';
  }
}

/** Whether the requested refund has been made. @throws RefundedElsewhere */
export function isRefundMade(
  provider: PaymentMethod,
  refunds: readonly ListedRefund[],
  { key, known }: RefundRequest,
): boolean {
  if (refunds.some((refund) => refund.key === key)) return true;
  if (!known) return false;
  const other = refunds.find((refund) => !refund.key && !refund.hasFailed && !known.includes(refund.id));
  if (other) throw new RefundedElsewhere(provider, other.id);
  return false;
}

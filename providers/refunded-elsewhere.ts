import type { PaymentMethod } from '../core/orders.ts';
import { PermanentFailure } from '../infra/retry.ts';
import type { RefundRequest } from './gateway.ts';

/** A refund of a payment as its provider lists it: `key` is that of our request, if it was one. */
export interface ListedRefund {
  id: string;
  key: string | undefined;
  /** It failed or was canceled: the money is still with us. */
  isOver: boolean;
}

/** The payment was refunded in another way since this refund was asked for: making both may pay the buyer twice. */
export class RefundedOtherwise extends PermanentFailure {
  constructor(provider: PaymentMethod, refundId: string) {
    super(`refund ${refundId} at ${provider} was made in another way since this one was requested`);
    this.name = 'RefundedOtherwise';
  }
}

/** Whether the requested refund has been made. @throws RefundedOtherwise */
export function isRefundMade(
  provider: PaymentMethod,
  refunds: readonly ListedRefund[],
  { key, known }: RefundRequest,
): boolean {
  if (refunds.some((refund) => refund.key === key)) return true;
  const other = refunds.find(({ id, key: ofOurs, isOver }) => !ofOurs && !isOver && !known?.includes(id));
  if (known && other) throw new RefundedOtherwise(provider, other.id);
  return false;
}

import type { Money } from './money.ts';
import type { PaymentMethod } from './orders.ts';

/** Money that a bank sent back: a payout to us, or a refund to a buyer. */
export const transferKinds = ['payout', 'refund'] as const;
export type TransferKind = (typeof transferKinds)[number];

/** Amount in cents. */
export interface FailedTransfer extends Money {
  kind: TransferKind;
  provider: PaymentMethod;
  transferId: string;
  orderId: string | null;
  reason: string | null;
}

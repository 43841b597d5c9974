import type { Money } from './money.ts';
import { canBeKept, refundedOf, returnedOf, settlingPayment } from './order-money.ts';
import type { PaymentFacts } from './payment-facts.ts';
import { holdsMoney } from './refunds.ts';

export type NotKeepable = 'no money' | 'own' | 'undecided' | 'unfit' | 'refunded' | 'disputed' | 'paid twice';

/** Why staff cannot keep this payment as the order's own; undefined if they can. */
export function whyNotKeepable(
  price: Money,
  facts: PaymentFacts,
  paymentId: string,
): NotKeepable | undefined {
  const settledBy = settlingPayment(price, facts);
  const capture = facts.captures[paymentId];
  if (!capture) return 'no money';
  if (settledBy === paymentId) return 'own';
  if (settledBy === undefined) return 'undecided';
  if (!canBeKept(price, capture)) return 'unfit';
  if (refundedOf(facts, paymentId) >= capture.amount) return 'refunded';
  if (!holdsMoney(facts, paymentId)) return 'disputed';
  // Pending refunds may fail, and open disputes may be won.
  const taken = facts.captures[settledBy]?.amount ?? 0;
  return returnedOf(facts, settledBy) < taken ? 'paid twice' : undefined;
}

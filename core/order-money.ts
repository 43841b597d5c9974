import type { Money } from './money.ts';
import type { MoneyTaken } from './orders.ts';
import type { Capture, Decision, Dispute, PaymentFacts } from './payment-facts.ts';

// Which of the money that the facts name pays the order, and how much of it went back.

/**
 * The payment that settles the order: the one that staff kept, otherwise the first one known of exactly its amount and
 * currency.
 */
export function settlingPayment(price: Money, { captures, kept }: PaymentFacts): string | undefined {
  const keptCapture = kept && captures[kept.paymentId];
  if (keptCapture && canBeKept(price, keptCapture)) return kept.paymentId;
  return Object.keys(captures).find((id) => captures[id] && isExact(price, captures[id]));
}

/** The payments whose money pays the order: the settling one, or those that an operator accepted. */
export function settlingPayments(price: Money, facts: PaymentFacts): string[] {
  const settledBy = settlingPayment(price, facts);
  if (settledBy) return [settledBy];
  const decision = decisionOf(facts);
  return decision?.status === 'paid' ? decision.payments : [];
}

/** Whether another payment pays the order, and this one has taken nothing: it should not be paid any more. */
export function isSurplus(price: Money, facts: PaymentFacts, paymentId: string): boolean {
  return settlingPayments(price, facts).length > 0 && !(paymentId in facts.captures);
}

/** The operator's decision, as long as it was made on all of the money. */
export function decisionOf({ decision, captures }: PaymentFacts): Decision | null {
  const isComplete = Object.keys(captures).every((id) => decision?.payments.includes(id));
  return isComplete ? decision : null;
}

/** Cents of the price that were paid; less than the price only if an operator accepted that. */
export function amountTaken(price: Money, facts: PaymentFacts): number {
  return Math.min(price.amount, takenInAll(price, facts));
}

function takenInAll(price: Money, facts: PaymentFacts): number {
  return sum(settlingPayments(price, facts).map((id) => facts.captures[id]?.amount ?? 0));
}

/** Cents returned to the buyer: refunds of the settling payment and disputes lost, never more than the price. */
export function amountRefunded(price: Money, facts: PaymentFacts): number {
  const payments = settlingPayments(price, facts);
  if (payments.length === 0) return 0;
  const lost = settlingDisputes(price, facts).filter(({ outcome }) => outcome === 'lost');
  return withoutSurplus(price, facts, returnedBy(facts, payments, lost));
}

/** Returned cents that count against the price: if an operator accepted more, the surplus is returned first. */
function withoutSurplus(price: Money, facts: PaymentFacts, returned: number): number {
  const surplus = Math.max(0, takenInAll(price, facts) - price.amount);
  return Math.min(price.amount, Math.max(0, returned - surplus));
}

/** Whether money was taken, exact or not, and whether all of it was returned. */
export function moneyTaken(facts: PaymentFacts): MoneyTaken {
  const captures = Object.entries(facts.captures);
  if (captures.length === 0) return 'none';
  return captures.every(([id, { amount }]) => returnedOf(facts, id) >= amount) ? 'returned' : 'held';
}

/** Cents of one payment that went back to the buyer. */
export function returnedOf(facts: PaymentFacts, paymentId: string): number {
  const lost = Object.values(facts.disputes).filter(
    (dispute) => dispute.paymentId === paymentId && dispute.outcome === 'lost',
  );
  return returnedBy(facts, [paymentId], lost);
}

function returnedBy(facts: PaymentFacts, payments: string[], lost: Dispute[]): number {
  const refunds = payments.flatMap((id) => refundsOf(facts, id));
  const counting = lost.filter((dispute) =>
    (dispute.paymentId ? [dispute.paymentId] : payments).some((id) => tookMoneyOf(facts, id, dispute)),
  );
  return sum(refunds) + sum(withoutBooked(counting, refunds));
}

/**
 * Whether a lost dispute took money from this payment. A full refund closes a PayPal dispute as lost (RESOLVED_BUYER_FAVOUR),
 * and PayPal books nothing else. Then only the refund counts, even if it is still pending or has failed.
 */
export function tookMoneyOf(facts: PaymentFacts, id: string, { bookedAsRefund }: Dispute): boolean {
  const failed = Object.values(facts.refunds ?? {}).filter(
    ({ paymentId, status }) => paymentId === id && (status === 'failed' || status === 'canceled'),
  );
  const asked = refundedOf(facts, id) + Math.max(0, ...failed.map(({ amount }) => amount));
  return !bookedAsRefund || asked < (facts.captures[id]?.amount ?? 0);
}

/**
 * Cents that went back to the buyer, if they are more than the payment took: a bank may return what was refunded
 * (https://support.stripe.com/questions/disputes-for-ach-payments). What the provider books as a refund counts as that.
 */
export function returnedBeyond(facts: PaymentFacts, paymentId: string): number | undefined {
  const lost = Object.values(facts.disputes).filter(
    (dispute) => dispute.paymentId === paymentId && dispute.outcome === 'lost' && !dispute.bookedAsRefund,
  );
  const returned = sum(refundsOf(facts, paymentId)) + sum(lost.map(({ amount }) => amount));
  return returned > (facts.captures[paymentId]?.amount ?? 0) ? returned : undefined;
}

/** Cents of the lost disputes that the provider did not book as a refund as well. */
function withoutBooked(lost: Dispute[], refunds: number[]): number[] {
  const left = [...refunds];
  return lost.flatMap(({ amount, bookedAsRefund }) => {
    const booking = bookedAsRefund ? left.indexOf(amount) : -1;
    if (booking < 0) return [amount];
    left.splice(booking, 1);
    return [];
  });
}

/** Disputes of the money that pays the order: one about a second payment is that payment's own. */
export function settlingDisputes(price: Money, facts: PaymentFacts): Dispute[] {
  const payments = settlingPayments(price, facts);
  return Object.values(facts.disputes).filter(
    ({ paymentId }) => paymentId === undefined || payments.includes(paymentId),
  );
}

/** Whether the buyer's bank returned the debit that paid the order. */
export function isDebitReturned(price: Money, facts: PaymentFacts): boolean {
  return settlingDisputes(price, facts).some(
    ({ isReturnedDebit, outcome }) => isReturnedDebit && outcome !== 'won',
  );
}

export function refundTotal(price: Money, facts: PaymentFacts): number {
  const refunds = settlingPayments(price, facts).flatMap((id) => refundsOf(facts, id));
  return withoutSurplus(price, facts, sum(refunds));
}

/** Cents of each refund of a payment that succeeded; the provider's total where it names no refunds. */
export function refundsOf(facts: PaymentFacts, paymentId: string): number[] {
  const refunds = Object.values(facts.refunds ?? {}).filter((refund) => refund.paymentId === paymentId);
  const total = { amount: facts.refunded[paymentId] ?? 0, isReversal: true };
  const made = refunds.length === 0 ? [total] : refunds.filter(({ status }) => status === 'succeeded');
  return withoutWonBack(facts, paymentId, made);
}

/**
 * Without what the provider booked for a dispute that was lost and then won on appeal: PayPal cancels the reversal and returns
 * the money to us (https://developer.paypal.com/api/nvp-soap/ipn/IPNandPDTVariables/, Canceled_Reversal), but may list it still.
 * Likewise if it was lost again, in part, or if we learned of it only once it was won. A dispute has one booking at a time.
 */
function withoutWonBack(
  { disputes }: PaymentFacts,
  paymentId: string,
  refunds: { amount: number; isReversal?: boolean | undefined }[],
): number[] {
  const ofPayment = Object.values(disputes).filter((dispute) => dispute.paymentId === paymentId);
  const bookings = new Map<number, number>();
  for (const { outcome, amount, bookedAsRefund, lostBefore } of ofPayment) {
    const booked = lostBefore ?? (bookedAsRefund && outcome === 'won' ? amount : undefined);
    if (!booked) continue;
    const isBooked = outcome === 'open' || (outcome === 'lost' && amount === booked);
    bookings.set(booked, (bookings.get(booked) ?? 0) + (isBooked ? 1 : 0));
  }
  const counting = refunds.filter(({ amount, isReversal }) => {
    const left = isReversal ? bookings.get(amount) : undefined;
    if (left !== undefined) bookings.set(amount, left - 1);
    return left === undefined || left > 0;
  });
  return counting.map(({ amount }) => amount);
}

/** Cents of each pending refund of a payment. */
export function pendingOf(facts: PaymentFacts, paymentId: string): number[] {
  return Object.values(facts.refunds ?? {})
    .filter((refund) => refund.paymentId === paymentId && refund.status === 'pending')
    .map(({ amount }) => amount);
}

/** Cents of a payment that were refunded, or are about to be: pending refunds count. */
export function refundedOf(facts: PaymentFacts, paymentId: string): number {
  return sum([...refundsOf(facts, paymentId), ...pendingOf(facts, paymentId)]);
}

export function sum(amounts: number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0);
}

export function isExact(price: Money, capture: Capture): boolean {
  return capture.amount === price.amount && canBeKept(price, capture);
}

/** Whether staff can make this money the order's, whatever its amount. */
export function canBeKept({ currency }: Money, capture: Capture): boolean {
  return capture.currency === currency && !capture.forAnotherOrder;
}

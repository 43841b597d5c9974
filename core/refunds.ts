import type { Money } from './money.ts';
import { pendingOf, refundedOf, returnedOf, sum, tookMoneyOf } from './order-money.ts';
import type { PaymentMethod } from './orders.ts';
import type { Dispute, PaymentFacts } from './payment-facts.ts';

/** Money of one payment that can still go back to the buyer. Amount in cents. */
interface Refundable extends Money {
  paymentId: string;
  provider: PaymentMethod;
  /** A dispute is open, which only a full refund ends. */
  onlyInFull: boolean;
}

/**
 * What can be refunded of each payment: what it took, without what went back or is on its way, and without refunds that
 * wait for a worker. Nothing of a payment whose dispute is lost, or open and not refundable: its provider refuses that, or
 * has returned the money itself. Nothing either during a dispute while a refund waits: what is left is not all.
 */
export function refundableOf(
  facts: PaymentFacts,
  byDefault: PaymentMethod,
  waiting: readonly { paymentId: string; amount: number }[] = [],
): Refundable[] {
  return Object.entries(facts.captures).flatMap(([paymentId, { amount, currency, provider = byDefault }]) => {
    const asked = sum(
      waiting.filter((refund) => refund.paymentId === paymentId).map((refund) => refund.amount),
    );
    const left = amount - refundedOf(facts, paymentId) - asked;
    const disputes = disputesOf(facts, paymentId);
    const onlyInFull = disputes.some(({ outcome }) => outcome === 'open');
    const isGone = disputes.some((dispute) => isTakenBack(facts, paymentId, dispute));
    if (left <= 0 || isGone || (onlyInFull && asked > 0)) return [];
    return [{ paymentId, provider, currency, amount: left, onlyInFull }];
  });
}

/** Whether a payment holds money that no pending refund or open dispute can take. */
export function holdsMoney(facts: PaymentFacts, paymentId: string): boolean {
  const taken = facts.captures[paymentId]?.amount ?? 0;
  const isDisputed = disputesOf(facts, paymentId).some(({ outcome }) => outcome === 'open');
  return !isDisputed && sum([returnedOf(facts, paymentId), ...pendingOf(facts, paymentId)]) < taken;
}

/**
 * Whether a full refund closed the dispute, which was then never decided. PayPal reports such a dispute as lost
 * (RESOLVED_BUYER_FAVOUR), like one that it decides and books as a refund itself; only the former has a refund of ours.
 */
export function isClosedByRefund(
  facts: PaymentFacts,
  { outcome, paymentId = '', amount, isDecided }: Dispute,
): boolean {
  const taken = facts.captures[paymentId]?.amount;
  if (taken === undefined || outcome === 'open' || refundedOf(facts, paymentId) < taken) return false;
  const isOurs = Object.values(facts.refunds ?? {}).some(
    (refund) => refund.isOurs && refund.paymentId === paymentId && refund.amount === amount,
  );
  return outcome === 'won' ? !isDecided : isOurs;
}

/** A dispute that names no payment may be about any. */
function disputesOf({ disputes }: PaymentFacts, id: string): Dispute[] {
  return Object.values(disputes).filter(({ paymentId }) => paymentId === undefined || paymentId === id);
}

function isTakenBack(facts: PaymentFacts, paymentId: string, dispute: Dispute): boolean {
  const { outcome, isRefundable } = dispute;
  if (outcome === 'lost') return tookMoneyOf(facts, paymentId, dispute);
  return outcome === 'open' && !isRefundable;
}

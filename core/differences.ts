import { settle, statusOf } from './order-lifecycle.ts';
import { amountRefunded, settlingPayment } from './order-money.ts';
import type { OrderState } from './order-state.ts';
import type { OrderStatus } from './orders.ts';
import { addFact, NO_FACTS, type PaymentFact } from './payment-facts.ts';

/** A difference between an order and its provider's answer. Amounts in cents. */
interface Difference {
  ours: { status: OrderStatus; amountRefunded: number };
  theirs: { status: OrderStatus; amountRefunded: number };
  what: string;
  /** Whether applying the provider's facts resolves the difference; otherwise an operator has to look at both sides. */
  safe: boolean;
}

/** Compares an order with its provider's answer. Undefined if both agree. */
export function compare(order: OrderState, facts: readonly PaymentFact[]): Difference | undefined {
  // PayPal hides disputes from an app without that feature. No provider knows our operators' decisions or when an order
  // expires.
  const { decision, disputes, expired, kept } = order.facts;
  const known = {
    ...NO_FACTS,
    decision,
    disputes,
    ...(expired ? { expired } : {}),
    ...(kept ? { kept } : {}),
  };
  const reported = inOrderOf(order, facts).reduce(addFact, known);
  const repaired = settle(order, facts);
  const ours = { status: order.status, amountRefunded: amountRefunded(order, order.facts) };
  const theirs = { status: statusOf(order, reported), amountRefunded: amountRefunded(order, reported) };
  const extra = Object.keys(repaired.facts.captures).length - Object.keys(order.facts.captures).length;

  if (isUnpaidOnBothSides(order, facts) && isEquivalent(ours.status, theirs.status)) return undefined;
  if (extra === 0 && ours.status === theirs.status && ours.amountRefunded === theirs.amountRefunded) {
    return undefined;
  }
  const safe = repaired.status === theirs.status && repaired.amountRefunded === theirs.amountRefunded;
  return { ours, theirs, what: describe(order, ours, theirs, extra), safe };
}

/**
 * The provider's facts in our order of payments: of two payments the one that became known first settles the order. Only an
 * event may have shown that a refund is a reversal.
 */
function inOrderOf(
  { facts: { captures, refunds } }: OrderState,
  facts: readonly PaymentFact[],
): PaymentFact[] {
  const known = Object.keys(captures);
  const isOf = (id: string) => (fact: PaymentFact) => fact.kind === 'captured' && fact.paymentId === id;
  const ours = known.flatMap((id) => facts.filter(isOf(id)));
  const marked = facts.map((fact) =>
    fact.kind === 'refund' && refunds?.[fact.refundId]?.isReversal
      ? { ...fact, isReversal: true as const }
      : fact,
  );
  return [...ours, ...marked];
}

function isUnpaidOnBothSides(order: OrderState, facts: readonly PaymentFact[]): boolean {
  return Object.keys(order.facts.captures).length === 0 && !facts.some((fact) => fact.kind === 'captured');
}

/**
 * A canceled order may still look payable at a provider that cannot cancel; a new attempt has no status yet. An order whose
 * payment is processing here, and unknown there, needs a person.
 */
function isEquivalent(ours: OrderStatus, theirs: OrderStatus): boolean {
  if (ours === 'canceled') return theirs !== 'processing';
  return theirs === 'pending' && ours !== 'processing';
}

function describe(
  order: OrderState,
  ours: Difference['ours'],
  theirs: Difference['theirs'],
  extra: number,
): string {
  if (extra > 0 && settlingPayment(order, order.facts)) return 'paid a second time';
  if (ours.status !== theirs.status) return `${ours.status} here, ${theirs.status} at the provider`;
  if (ours.amountRefunded !== theirs.amountRefunded) {
    return `${ours.amountRefunded} cents refunded here, ${theirs.amountRefunded} at the provider`;
  }
  return 'a payment unknown here';
}

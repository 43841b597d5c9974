import { amountRefunded, type OrderState, settle, settlingCapture, statusOf } from './order-lifecycle.ts';
import type { OrderStatus } from './orders.ts';
import { learn, NOTHING_KNOWN, type PaymentFact } from './payment-facts.ts';

/** What of an order the provider sees differently from us. Amounts in cents. */
export interface Difference {
  ours: { status: OrderStatus; amountRefunded: number };
  theirs: { status: OrderStatus; amountRefunded: number };
  /** What is different, for people. */
  what: string;
  /** Whether learning the provider's facts ends the difference; else an operator has to look at both sides. */
  safe: boolean;
}

/** Compares an order with what its provider says now. Undefined if both agree. */
export function compare(order: OrderState, facts: readonly PaymentFact[]): Difference | undefined {
  // PayPal's orders do not tell of disputes, and no provider of what our operators decided.
  const { decision, disputes } = order.facts;
  const known = facts.reduce(learn, { ...NOTHING_KNOWN, decision, disputes });
  const mended = settle(order, facts);
  const ours = { status: order.status, amountRefunded: amountRefunded(order, order.facts) };
  const theirs = { status: statusOf(order, known), amountRefunded: amountRefunded(order, known) };
  const extra = Object.keys(mended.facts.captures).length - Object.keys(order.facts.captures).length;

  if (nobodyHasPaid(order, facts) && isSameToTheBuyer(ours.status, theirs.status)) return undefined;
  if (extra === 0 && ours.status === theirs.status && ours.amountRefunded === theirs.amountRefunded) {
    return undefined;
  }
  const safe = mended.status === theirs.status && mended.amountRefunded === theirs.amountRefunded;
  return { ours, theirs, what: describe(order, ours, theirs, extra), safe };
}

function nobodyHasPaid(order: OrderState, facts: readonly PaymentFact[]): boolean {
  return Object.keys(order.facts.captures).length === 0 && !facts.some((fact) => fact.kind === 'captured');
}

/** An order that we gave up stays payable where the provider cannot cancel; and a new try has no status of its own yet. */
function isSameToTheBuyer(ours: OrderStatus, theirs: OrderStatus): boolean {
  return ours === theirs || ours === 'canceled' || theirs === 'pending';
}

function describe(
  order: OrderState,
  ours: Difference['ours'],
  theirs: Difference['theirs'],
  extra: number,
): string {
  if (extra > 0 && settlingCapture(order, order.facts)) return 'paid a second time';
  if (ours.status !== theirs.status) return `${ours.status} here, ${theirs.status} there`;
  if (ours.amountRefunded !== theirs.amountRefunded) {
    return `${ours.amountRefunded} cents refunded here, ${theirs.amountRefunded} there`;
  }
  return 'a payment that we do not know';
}

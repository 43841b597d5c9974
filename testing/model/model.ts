import type { OrderStatus } from '../../core/orders.ts';
import { serviceBySlug } from '../../core/services.ts';
import type { LedgerPayment } from './ledger.ts';

/** What one sequence has brought about so far, as a fair shop would have to know it. */
export interface Model {
  /** Cents. */
  price: number;
  /** The order is known to the buyer. */
  orderId: string | undefined;
  /** As the providers see them, read again after every command. */
  payments: LedgerPayment[];
  /** Refunds that staff or PayPal made: every other refund is the shop's own. */
  foreignRefunds: Set<string>;
  /** Disputes whose loss PayPal did not book as a reversal. */
  unbooked: Set<string>;
  /** A provider was made to fail, so that a call may be answered with 502 or 503. */
  mayFail: boolean;
  /** An event was withheld: its news comes with the next check. */
  mayMissEvents: boolean;
  hasExpired: boolean;
}

export const PRICE = serviceBySlug('audit').price;

export function newModel(price: number = PRICE): Model {
  return {
    price,
    orderId: undefined,
    payments: [],
    foreignRefunds: new Set(),
    unbooked: new Set(),
    mayFail: false,
    mayMissEvents: false,
    hasExpired: false,
  };
}

export function taken({ payments }: Model): LedgerPayment[] {
  return payments.filter(({ state }) => state === 'taken');
}

/** What a fair shop says about an order that this payment settled. */
export function owed(
  model: Model,
  { refunds, disputes }: LedgerPayment,
): { status: OrderStatus; amountRefunded: number } {
  const refunded = sum(refunds.filter(({ status }) => status === 'succeeded'));
  const lost = disputes.filter(({ id, outcome }) => outcome === 'lost' && isTakenOnTop(model, id));
  const amountRefunded = Math.min(model.price, refunded + sum(lost));
  if (amountRefunded === model.price) return { status: 'refunded', amountRefunded };
  if (disputes.some(({ outcome }) => outcome === 'open')) return { status: 'disputed', amountRefunded };
  return { status: amountRefunded > 0 ? 'partially_refunded' : 'paid', amountRefunded };
}

/** PayPal books a lost dispute as a reversal, which is among the refunds, unless it forgets to. */
function isTakenOnTop({ unbooked }: Model, disputeId: string): boolean {
  return disputeId.startsWith('dp_') || unbooked.has(disputeId);
}

export function sum(items: { amount: number }[]): number {
  return items.reduce((total, { amount }) => total + amount, 0);
}

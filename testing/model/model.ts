import type { OrderStatus } from '../../core/orders.ts';
import { serviceBySlug } from '../../core/services.ts';
import type { LedgerPayment, LedgerRefund } from './ledger.ts';

/** The state of one sequence so far, as a correct shop would have to know it. */
export interface Model {
  /** Cents. */
  price: number;
  /** The order is known to the buyer. */
  orderId: string | undefined;
  /** As the providers see them, read again after every command. */
  payments: LedgerPayment[];
  /** Refunds made by staff in the dashboard or by PayPal: every other refund is the shop's own. */
  foreignRefunds: Set<string>;
  /** Refunds that staff asked for at the desk: the shop's own as well, each once. */
  deskRefunds: { paymentId: string; amount: number }[];
  /** Staff have canceled the order at the desk. */
  isCanceled: boolean;
  /** Disputes whose loss PayPal did not book as a reversal. */
  unbooked: Set<string>;
  /** A provider was made to fail, so that a call may be answered with 502 or 503. */
  mayFail: boolean;
  /** An event was withheld: the next check finds what it reported. */
  mayMissEvents: boolean;
  hasExpired: boolean;
  /** What staff decided about money that does not fit the price, and the payments that they knew then. */
  decision: { status: Decided; payments: string[] } | undefined;
  /** The second payment that staff kept. */
  kept: string | undefined;
  /** Staff have accepted such money at least once: the buyer and staff got their mails. */
  wasAccepted: boolean;
}

export type Decided = 'paid' | 'refunded' | 'canceled';

export const PRICE = serviceBySlug('audit').price;

export function newModel(price: number = PRICE): Model {
  return {
    price,
    orderId: undefined,
    payments: [],
    foreignRefunds: new Set(),
    deskRefunds: [],
    isCanceled: false,
    unbooked: new Set(),
    mayFail: false,
    mayMissEvents: false,
    hasExpired: false,
    decision: undefined,
    kept: undefined,
    wasAccepted: false,
  };
}

export function taken({ payments }: Model): LedgerPayment[] {
  return payments.filter(({ state }) => state === 'taken');
}

/** Whether the payment is of exactly the order's price. */
export function isExact({ price }: Model, { amount, currency }: LedgerPayment): boolean {
  return amount === price && currency === 'USD';
}

interface Owed {
  status: OrderStatus;
  amountRefunded: number;
}

/** What a correct shop owes for an order that this payment settled. */
export function owed(model: Model, settling: LedgerPayment): Owed {
  return owedFor(model, [settling], Math.min(model.price, settling.amount));
}

/** What a correct shop owes for money that does not match the price: staff decide, and again for money found later. */
export function owedForMismatch(model: Model, money: LedgerPayment[]): Owed {
  const { decision, price } = model;
  const isDecided = decision && money.every(({ id }) => decision.payments.includes(id));
  if (!isDecided) return { status: 'review', amountRefunded: 0 };
  if (decision.status !== 'paid') return { status: decision.status, amountRefunded: 0 };
  return owedFor(model, money, Math.min(price, sum(money)));
}

function owedFor(model: Model, money: LedgerPayment[], taken: number): Owed {
  const refunds = money.flatMap((payment) => payment.refunds);
  const disputes = money.flatMap((payment) => payment.disputes);
  const refunded = sum(refunds.filter(({ status }) => status === 'succeeded'));
  const lost = money.flatMap((payment) =>
    payment.disputes.filter(
      ({ id, outcome }) => outcome === 'lost' && isTakenOnTop(model, id) && !isClosedByRefund(payment),
    ),
  );
  const amountRefunded = Math.min(model.price, refunded + sum(lost));
  if (amountRefunded >= taken) return { status: 'refunded', amountRefunded };
  if (disputes.some(({ outcome }) => outcome === 'open')) return { status: 'disputed', amountRefunded };
  return { status: amountRefunded > 0 ? 'partially_refunded' : 'paid', amountRefunded };
}

/** PayPal books a lost dispute as a reversal, which is among the refunds, unless it forgets to. */
function isTakenOnTop({ unbooked }: Model, disputeId: string): boolean {
  return disputeId.startsWith('dp_') || unbooked.has(disputeId);
}

/** A full refund closes a PayPal dispute. Then only the refund counts, even if it is still pending or has failed. */
function isClosedByRefund({ provider, amount, refunds }: LedgerPayment): boolean {
  const isOver = ({ status }: LedgerRefund) => status === 'failed' || status === 'canceled';
  const lastFailed = Math.max(0, ...refunds.filter(isOver).map((refund) => refund.amount));
  return provider === 'paypal' && sum(refunds.filter((refund) => !isOver(refund))) + lastFailed >= amount;
}

export function sum(items: { amount: number }[]): number {
  return items.reduce((total, { amount }) => total + amount, 0);
}

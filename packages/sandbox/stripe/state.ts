import type Stripe from 'stripe';
import type { Persistent } from '../state-file.ts';
import type { StoredEvent } from './events.ts';
import type { StoredAnswer } from './idempotency.ts';

/** Everything the Stripe stand-in knows, oldest first in every map. */
export class StripeState implements Persistent {
  readonly paymentIntents = new Map<string, Stripe.PaymentIntent>();
  readonly charges = new Map<string, Stripe.Charge>();
  readonly refunds = new Map<string, Stripe.Refund>();
  readonly disputes = new Map<string, Stripe.Dispute>();
  readonly paymentMethods = new Map<string, Stripe.PaymentMethod>();
  /** Payment method id → the test method it was made from, which decides how it behaves. */
  readonly testMethodOf = new Map<string, string>();
  readonly balanceTransactions = new Map<string, Stripe.BalanceTransaction>();
  readonly events = new Map<string, StoredEvent>();
  readonly answers = new Map<string, StoredAnswer>();

  snapshot(): Record<string, unknown[]> {
    return Object.fromEntries(this.#maps().map(([name, map]) => [name, [...map]]));
  }

  restore(saved: Record<string, [string, unknown][]>): void {
    for (const [name, map] of this.#maps()) {
      for (const [id, value] of saved[name] ?? []) map.set(id, value);
    }
  }

  #maps(): [string, Map<string, unknown>][] {
    return Object.entries(this).filter(
      (entry): entry is [string, Map<string, unknown>] => entry[1] instanceof Map,
    );
  }
}

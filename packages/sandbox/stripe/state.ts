import type Stripe from 'stripe';
import { MapState } from '../map-state.ts';
import { RecentMap } from '../recent-map.ts';
import type { StoredAnswer } from './idempotency.ts';
import type { StripeList } from './lists.ts';

/** An event as it was when it occurred; `json` is delivered byte for byte. */
export interface StoredEvent {
  id: string;
  type: string;
  created: number;
  json: string;
}

export class StripeState extends MapState {
  readonly paymentIntents = new Map<string, Stripe.PaymentIntent>();
  readonly charges = new Map<string, Stripe.Charge>();
  readonly refunds = new Map<string, Stripe.Refund>();
  readonly disputes = new Map<string, Stripe.Dispute>();
  readonly reviews = new Map<string, Stripe.Review>();
  readonly paymentMethods = new Map<string, Stripe.PaymentMethod>();
  /** Payment method id → the test method that it was made from. */
  readonly testMethodOf = new Map<string, string>();
  readonly events = new RecentMap<StoredEvent>(50_000);
  /** For lists that never end: the page after an event. */
  readonly pagesAfter = new RecentMap<StripeList<Stripe.Event>>(100);
  /** By idempotency key. Stripe forgets them after a day, the sandbox by number. */
  readonly answers = new RecentMap<StoredAnswer>(50_000);
}

import type { EventCause, StripeEvents } from './events.ts';
import type { StripeState } from './state.ts';

/** What every call on the Stripe stand-in works with. */
export interface StripeContext {
  state: StripeState;
  events: StripeEvents;
  /** Where browsers find the sandbox, without a slash at the end. */
  publicUrl: () => string;
  /** To be called after every change. */
  touch: () => void;
}

export type { EventCause };

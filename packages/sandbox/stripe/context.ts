import type { Behaviours } from '../behaviours.ts';
import type { Later } from '../timers.ts';
import type { EventCause, StripeEvents } from './events.ts';
import type { StripeState } from './state.ts';
import type { WebhookEndpoints } from './webhook-endpoints.ts';

/** The dependencies of every call. */
export interface StripeContext {
  state: StripeState;
  events: StripeEvents;
  endpoints: WebhookEndpoints;
  behaviours: Behaviours;
  later: Later;
  /** The sandbox's address for browsers, without a trailing slash. */
  publicUrl: () => string;
  /** Call after every change. */
  touch: () => void;
}

export type { EventCause };

import type { Behaviours } from '../behaviours.ts';
import type { Later } from '../timers.ts';
import type { EventCause, StripeEvents } from './events.ts';
import type { StripeState } from './state.ts';
import type { WebhookEndpoints } from './webhook-endpoints.ts';

export interface StripeContext {
  state: StripeState;
  events: StripeEvents;
  endpoints: WebhookEndpoints;
  behaviours: Behaviours;
  later: Later;
  publicUrl: () => string;
  touch: () => void;
}

export type { EventCause };

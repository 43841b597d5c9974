import type { Behaviors } from '../behaviors.ts';
import type { Later } from '../timers.ts';
import type { EventCause, StripeEvents } from './events.ts';
import type { StripeState } from './state.ts';
import type { WebhookEndpoints } from './webhook-endpoints.ts';

export interface StripeContext {
  state: StripeState;
  events: StripeEvents;
  endpoints: WebhookEndpoints;
  behaviors: Behaviors;
  later: Later;
  publicUrl: () => string;
  touch: () => void;
}

export type { EventCause };

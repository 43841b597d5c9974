import type { Behaviors } from '../behaviors.ts';
import type { Later } from '../timers.ts';
import type { PayPalEvents } from './events.ts';
import type { PayPalState } from './state.ts';
import type { WebhookRegistrations } from './webhook-registrations.ts';

export interface PayPalContext {
  state: PayPalState;
  events: PayPalEvents;
  webhooks: WebhookRegistrations;
  behaviors: Behaviors;
  later: Later;
  /** The sandbox's address followed by /paypal. */
  baseUrl: () => string;
  touch: () => void;
}

export const merchant = { email_address: 'payments@querywright.example', merchant_id: 'QWSANDBXMRCH2' };

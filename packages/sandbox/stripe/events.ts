import Stripe from 'stripe';
import type { EventLog } from '../event-log.ts';
import { newId, unixNow } from '../ids.ts';

/** An event as it was when it occurred; `json` is delivered byte for byte. */
export interface StoredEvent {
  id: string;
  type: string;
  created: number;
  json: string;
}

export type EventCause = { requestId: string | null; idempotencyKey: string | null };
export const noCause: EventCause = { requestId: null, idempotencyKey: null };

/** Records what happened, and delivers it if the web process subscribes to that type. */
export class StripeEvents {
  readonly #log: EventLog<StoredEvent>;
  readonly #types: string[];

  constructor(log: EventLog<StoredEvent>, types: string[]) {
    this.#log = log;
    this.#types = types;
  }

  emit(type: string, object: object, cause: EventCause = noCause, previous?: object): void {
    const id = newId('evt');
    const created = unixNow();
    const json = JSON.stringify({
      id,
      object: 'event',
      api_version: Stripe.API_VERSION,
      created,
      data: previous ? { object, previous_attributes: previous } : { object },
      livemode: false,
      pending_webhooks: 1,
      request: { id: cause.requestId, idempotency_key: cause.idempotencyKey },
      type,
    });
    this.#log.record(id, { id, type, created, json });
    if (this.#isSubscribed(type)) this.#log.deliver(id, type, json);
  }

  /** The event as the API shows it: as delivered, with the number of deliveries that are still open. */
  show(stored: StoredEvent): Stripe.Event {
    const event: Stripe.Event = JSON.parse(stored.json);
    return { ...event, pending_webhooks: this.#log.pendingDeliveries(stored.id) };
  }

  #isSubscribed(type: string): boolean {
    return this.#types.includes('*') || this.#types.includes(type);
  }
}

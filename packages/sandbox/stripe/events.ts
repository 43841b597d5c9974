import Stripe from 'stripe';
import { newId, unixNow } from '../ids.ts';
import type { Webhooks } from '../webhooks.ts';
import type { StripeState } from './state.ts';

/** An event as it was when it happened; the text is what is delivered, byte for byte. */
export interface StoredEvent {
  id: string;
  type: string;
  created: number;
  json: string;
}

export type EventCause = { requestId: string | null; idempotencyKey: string | null };
export const noCause: EventCause = { requestId: null, idempotencyKey: null };

const REMEMBERED = 50_000;

/** Records what happened and tells the web process, if its endpoint listens to that type. */
export class StripeEvents {
  readonly #state: StripeState;
  readonly #webhooks: Webhooks;
  readonly #types: string[];
  readonly #touch: () => void;

  constructor(state: StripeState, webhooks: Webhooks, types: string[], touch: () => void) {
    this.#state = state;
    this.#webhooks = webhooks;
    this.#types = types;
    this.#touch = touch;
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
    this.#state.events.set(id, { id, type, created, json });
    if (this.#state.events.size > REMEMBERED) {
      const oldest = this.#state.events.keys().next().value;
      if (oldest) this.#state.events.delete(oldest);
    }
    this.#touch();
    if (this.#listensTo(type)) this.#webhooks.send({ provider: 'stripe', eventId: id, type, body: json });
  }

  /** The event as the API shows it: as delivered, but for how many deliveries are still open. */
  show(stored: StoredEvent): Stripe.Event {
    const event: Stripe.Event = JSON.parse(stored.json);
    return { ...event, pending_webhooks: this.#webhooks.pendingOf(stored.id) };
  }

  #listensTo(type: string): boolean {
    return this.#types.includes('*') || this.#types.includes(type);
  }
}

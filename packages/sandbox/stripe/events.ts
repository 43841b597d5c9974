import Stripe from 'stripe';
import type { Behaviors } from '../behaviors.ts';
import type { EventLog } from '../event-log.ts';
import { newId, unixNow } from '../ids.ts';
import { renderAs } from './old-versions.ts';
import type { StoredEvent, StripeState } from './state.ts';
import type { WebhookEndpoints } from './webhook-endpoints.ts';

export type EventCause = { requestId: string | null; idempotencyKey: string | null };
export const noCause: EventCause = { requestId: null, idempotencyKey: null };

export class StripeEvents {
  readonly #log: EventLog<StoredEvent>;
  readonly #endpoints: WebhookEndpoints;
  readonly #behaviors: Behaviors;
  readonly #state: StripeState;

  constructor(
    log: EventLog<StoredEvent>,
    endpoints: WebhookEndpoints,
    behaviors: Behaviors,
    state: StripeState,
  ) {
    this.#log = log;
    this.#endpoints = endpoints;
    this.#behaviors = behaviors;
    this.#state = state;
  }

  emit(type: string, object: object, cause: EventCause = noCause, previous?: object): void {
    const subject = `${type} ${Reflect.get(object, 'id')}`;
    if (this.#behaviors.consume('stripe-missing-event', subject)) return;
    const id = newId('evt');
    const created = unixNow();
    const { version, rendered } = this.#render(type, object, subject);
    const json = JSON.stringify({
      id,
      object: 'event',
      api_version: version,
      created,
      data: previous ? { object: rendered, previous_attributes: previous } : { object: rendered },
      livemode: this.#behaviors.consume('stripe-live-event', subject) !== undefined,
      pending_webhooks: 1,
      request: { id: cause.requestId, idempotency_key: cause.idempotencyKey },
      type,
    });
    this.#log.record(id, { id, type, created, json });
    if (!this.#endpoints.isSubscribed(type)) return;
    if (this.#behaviors.consume('stripe-undelivered-event', subject)) this.#log.drop(id, type, json);
    else this.#log.deliver(id, type, json);
    const thin = this.#behaviors.consume('stripe-thin-event', subject);
    if (thin?.value) this.emitThin(thin.value);
  }

  /** Delivers an event of API v2, which carries no object. The v1 list does not show it. */
  emitThin(type: string): void {
    const id = newId('evt');
    const created = new Date().toISOString();
    const body = { id, object: 'v2.core.event', type, created, livemode: false, context: null, reason: null };
    this.#log.deliver(id, type, JSON.stringify({ ...body, related_object: null }));
  }

  /** The event as the API shows it: as delivered, with the number of deliveries that are still open. */
  show(stored: StoredEvent): Stripe.Event {
    const event: Stripe.Event = JSON.parse(stored.json);
    return { ...event, pending_webhooks: this.#log.pendingDeliveries(stored.id) };
  }

  isDelivered(stored: StoredEvent): boolean {
    return this.#log.isDelivered(stored.id);
  }

  #render(type: string, object: object, subject: string): { version: string; rendered: object } {
    const version = this.#behaviors.consume('stripe-event-version', subject)?.value;
    if (version) return { version, rendered: renderAs(version, object, this.#state) };
    const lacksCharge =
      type === 'payment_intent.succeeded' && this.#behaviors.consume('stripe-event-without-charge', subject);
    return {
      version: Stripe.API_VERSION,
      rendered: lacksCharge ? { ...object, latest_charge: null } : object,
    };
  }
}

import type { WebhookProvider, Webhooks } from './webhooks.ts';

/** The events of one provider: recorded for its API, and delivered to the web process. */
export class EventLog<Event> {
  readonly #provider: WebhookProvider;
  readonly #events: Map<string, Event>;
  readonly #webhooks: Webhooks;
  readonly #touch: () => void;

  constructor(provider: WebhookProvider, events: Map<string, Event>, webhooks: Webhooks, touch: () => void) {
    this.#provider = provider;
    this.#events = events;
    this.#webhooks = webhooks;
    this.#touch = touch;
  }

  record(eventId: string, event: Event): void {
    this.#events.set(eventId, event);
    this.#touch();
  }

  deliver(eventId: string, type: string, body: string): void {
    this.#webhooks.send({ provider: this.#provider, eventId, type, body });
  }

  /** Records a delivery that is never attempted. */
  drop(eventId: string, type: string, body: string): void {
    this.#webhooks.drop({ provider: this.#provider, eventId, type, body });
  }

  isDelivered(eventId: string): boolean {
    return this.#webhooks.isDelivered(eventId);
  }

  pendingDeliveries(eventId: string): number {
    return this.#webhooks.pendingOf(eventId);
  }
}

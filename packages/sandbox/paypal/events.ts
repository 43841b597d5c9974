import type { Webhooks } from '../webhooks.ts';
import { link } from './context.ts';
import { newPayPalId, type PayPalState } from './state.ts';
import type { PayPalEvent } from './types.ts';

const REMEMBERED = 20_000;

/** Records what happened and tells the web process. */
export class PayPalEvents {
  readonly #state: PayPalState;
  readonly #webhooks: Webhooks;
  readonly #baseUrl: () => string;
  readonly #touch: () => void;

  constructor(state: PayPalState, webhooks: Webhooks, baseUrl: () => string, touch: () => void) {
    this.#state = state;
    this.#webhooks = webhooks;
    this.#baseUrl = baseUrl;
    this.#touch = touch;
  }

  emit(type: string, resourceType: string, summary: string, resource: object): void {
    const id = `WH-${newPayPalId()}-${newPayPalId()}`;
    const links = { baseUrl: this.#baseUrl };
    const event: PayPalEvent = {
      id,
      event_version: '1.0',
      create_time: new Date().toISOString(),
      resource_type: resourceType,
      resource_version: '2.0',
      event_type: type,
      summary,
      resource: structuredClone(resource),
      links: [
        link(links, 'self', `/v1/notifications/webhooks-events/${id}`),
        link(links, 'resend', `/v1/notifications/webhooks-events/${id}/resend`, 'POST'),
      ],
    };
    this.#state.events.set(id, event);
    if (this.#state.events.size > REMEMBERED) {
      const oldest = this.#state.events.keys().next().value;
      if (oldest) this.#state.events.delete(oldest);
    }
    this.#touch();
    this.deliver(event);
  }

  /** Sends an event, the first time or (by its `resend` call) once more. */
  deliver(event: PayPalEvent): void {
    this.#webhooks.send({
      provider: 'paypal',
      eventId: event.id,
      type: event.event_type,
      body: JSON.stringify(event),
    });
  }
}

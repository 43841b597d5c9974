import type { EventLog } from '../event-log.ts';
import { link } from './link.ts';
import { newPayPalId } from './state.ts';
import type { PayPalEvent } from './types.ts';
import type { WebhookRegistrations } from './webhook-registrations.ts';

export class PayPalEvents {
  readonly #log: EventLog<PayPalEvent>;
  readonly #webhooks: WebhookRegistrations;
  readonly #baseUrl: () => string;

  constructor(log: EventLog<PayPalEvent>, webhooks: WebhookRegistrations, baseUrl: () => string) {
    this.#log = log;
    this.#webhooks = webhooks;
    this.#baseUrl = baseUrl;
  }

  emit(type: string, resourceType: string, summary: string, resource: object): void {
    const id = `WH-${newPayPalId()}-${newPayPalId()}`;
    const event: PayPalEvent = {
      id,
      event_version: '1.0',
      create_time: new Date().toISOString(),
      resource_type: resourceType,
      resource_version: '2.0',
      event_type: type,
      summary,
      resource: structuredClone(resource),
      links: [link({ baseUrl: this.#baseUrl }, 'self', `/v1/notifications/webhooks-events/${id}`)],
    };
    this.#log.record(id, event);
    if (this.#webhooks.isSubscribed(type)) this.#log.deliver(id, type, JSON.stringify(event));
  }
}

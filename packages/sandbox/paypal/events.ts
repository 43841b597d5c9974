import type { EventLog } from '../event-log.ts';
import { link } from './link.ts';
import { newPayPalId } from './state.ts';
import type { PayPalEvent } from './types.ts';

/** Records what happened and delivers it to the web process. */
export class PayPalEvents {
  readonly #log: EventLog<PayPalEvent>;
  readonly #baseUrl: () => string;

  constructor(log: EventLog<PayPalEvent>, baseUrl: () => string) {
    this.#log = log;
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
    this.#log.deliver(id, type, JSON.stringify(event));
  }
}

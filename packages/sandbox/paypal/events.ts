import type { Behaviors } from '../behaviors.ts';
import type { EventLog } from '../event-log.ts';
import { link } from './link.ts';
import { newPayPalId } from './state.ts';
import type { PayPalDispute, PayPalEvent } from './types.ts';
import type { WebhookRegistrations } from './webhook-registrations.ts';

export class PayPalEvents {
  readonly #log: EventLog<PayPalEvent>;
  readonly #webhooks: WebhookRegistrations;
  readonly #behaviors: Behaviors;
  readonly #baseUrl: () => string;

  constructor(
    log: EventLog<PayPalEvent>,
    webhooks: WebhookRegistrations,
    behaviors: Behaviors,
    baseUrl: () => string,
  ) {
    this.#log = log;
    this.#webhooks = webhooks;
    this.#behaviors = behaviors;
    this.#baseUrl = baseUrl;
  }

  emit(type: string, resourceType: string, summary: string, resource: object): void {
    if (this.#behaviors.consume('paypal-missing-event', subjectOf(type, resource))) return;
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

function subjectOf(type: string, resource: { id?: string } & Partial<PayPalDispute>): string {
  const { id, dispute_id: disputeId, disputed_transactions: [transaction] = [] } = resource;
  return [type, id ?? disputeId, transaction?.seller_transaction_id].join(' ');
}

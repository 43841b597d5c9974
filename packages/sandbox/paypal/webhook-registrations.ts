import type { SandboxConfig } from '../config.ts';
import { badRequest, notFound, PayPalApiError } from './errors.ts';
import { link } from './link.ts';
import { newPayPalId } from './state.ts';
import type { PayPalWebhook } from './types.ts';

const PATH = '/v1/notifications/webhooks';
/** Represents the web process, whatever its address. */
const SITE_URL = 'site:';

/**
 * An app's webhooks (https://developer.paypal.com/api/webhooks/v1/), until the sandbox stops. They decide what is sent,
 * but not where: every event goes to the web process, signed for the configured webhook id.
 */
export class WebhookRegistrations {
  readonly #config: SandboxConfig;
  readonly baseUrl: () => string;
  readonly #webhooks = new Map<string, Pick<PayPalWebhook, 'id' | 'url' | 'event_types'>>();

  constructor(config: SandboxConfig, baseUrl: () => string) {
    this.#config = config;
    this.baseUrl = baseUrl;
    const { webhookId: id } = config.paypal;
    this.#webhooks.set(id, { id, url: SITE_URL, event_types: [{ name: '*' }] });
  }

  isSubscribed(type: string): boolean {
    return [...this.#webhooks.values()].some((webhook) =>
      webhook.event_types.some(({ name }) => name === '*' || name === type),
    );
  }

  list(): PayPalWebhook[] {
    return [...this.#webhooks.keys()].map((id) => this.find(id));
  }

  find(id: string): PayPalWebhook {
    const webhook = this.#webhooks.get(id);
    if (!webhook) throw notFound(id);
    const url = webhook.url === SITE_URL ? `${this.#config.siteUrl}/api/webhooks/paypal` : webhook.url;
    const self = `${PATH}/${id}`;
    const links = [link(this, 'self', self), link(this, 'delete', self, 'DELETE')];
    return { ...webhook, url, links };
  }

  /** PayPal accepts a URL once per app. The configured id is reused once it is free: deliveries are signed for it. */
  create({ url, event_types: types }: Record<string, unknown>): PayPalWebhook {
    if (typeof url !== 'string' || !URL.canParse(url))
      throw badRequest('MISSING_REQUIRED_PARAMETER', { field: '/url' });
    if (!Array.isArray(types) || types.length === 0)
      throw badRequest('MISSING_REQUIRED_PARAMETER', { field: '/event_types' });
    if (this.list().some((webhook) => webhook.url === url)) throw urlAlreadyExists();
    const { webhookId } = this.#config.paypal;
    const id = this.#webhooks.has(webhookId) ? newPayPalId() : webhookId;
    this.#webhooks.set(id, { id, url, event_types: types.map(({ name }) => ({ name: String(name) })) });
    return this.find(id);
  }

  delete(id: string): void {
    if (!this.#webhooks.delete(id)) throw notFound(id);
  }
}

/** As PayPal's own SDK expects it (https://github.com/paypal/PayPal-node-SDK, test/unit/webhook.js). */
function urlAlreadyExists(): PayPalApiError {
  const error = new PayPalApiError(400);
  Object.assign(error.body, { name: 'WEBHOOK_URL_ALREADY_EXISTS', message: 'Webhook URL already exists' });
  return error;
}

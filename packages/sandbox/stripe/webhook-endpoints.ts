import Stripe from 'stripe';
import type { SandboxConfig } from '../config.ts';
import { newId, unixNow } from '../ids.ts';
import { parameterInvalid, parameterMissing, resourceMissing } from './errors.ts';
import { listPage, type StripeList } from './lists.ts';
import { allowOnly, mergeMetadata, optionalText, type Params, requiredText, textList } from './params.ts';

/** The id of the endpoint that the sandbox starts with. */
const SITE = 'we_sandbox';
/** Represents the web process, whatever its address. */
const SITE_URL = 'site:';

/**
 * Stripe's webhook endpoints (https://docs.stripe.com/api/webhook_endpoints), until the sandbox stops. They decide what is
 * sent, but not where: every event goes to the web process, signed with one secret.
 */
export class WebhookEndpoints {
  readonly #config: SandboxConfig;
  readonly #endpoints = new Map<string, Stripe.WebhookEndpoint>();

  constructor(config: SandboxConfig) {
    this.#config = config;
    this.#endpoints.set(SITE, newEndpoint(SITE, SITE_URL, config.stripe.webhookEvents));
  }

  /** Whether any enabled endpoint takes events of this type. */
  isSubscribed(type: string): boolean {
    return [...this.#endpoints.values()].some(
      ({ status, enabled_events: types }) =>
        status === 'enabled' && (types.includes('*') || types.includes(type)),
    );
  }

  list(params: Params): StripeList<Stripe.WebhookEndpoint> {
    const page = listPage('/v1/webhook_endpoints', this.#endpoints, params);
    return { ...page, data: page.data.map((endpoint) => this.#show(endpoint)) };
  }

  find(id: string): Stripe.WebhookEndpoint {
    return this.#show(this.#stored(id));
  }

  /** The only answer that carries the secret. */
  create(params: Params): Stripe.WebhookEndpoint {
    allowOnly(params, [
      'url',
      'enabled_events',
      'api_version',
      'description',
      'metadata',
      'connect',
      'expand',
    ]);
    const url = requiredText(params, 'url');
    if (!/^https?:\/\//.test(url))
      throw parameterInvalid('url', 'Invalid URL: must start with http(s)', 'url_invalid');
    const types = textList(params, 'enabled_events');
    if (types.length === 0) throw parameterMissing('enabled_events');
    const endpoint = {
      ...newEndpoint(newId('we'), url, types),
      api_version: optionalText(params, 'api_version') ?? null,
      description: optionalText(params, 'description') ?? null,
      metadata: mergeMetadata({}, params),
    };
    this.#endpoints.set(endpoint.id, endpoint);
    return { ...endpoint, secret: this.#config.stripe.webhookSecret };
  }

  /** The API version of an endpoint cannot be changed. */
  update(id: string, params: Params): Stripe.WebhookEndpoint {
    allowOnly(params, ['url', 'enabled_events', 'disabled', 'description', 'metadata', 'expand']);
    const before = this.#stored(id);
    const types = textList(params, 'enabled_events');
    const disabled = optionalText(params, 'disabled');
    const changed: Stripe.WebhookEndpoint = {
      ...before,
      url: optionalText(params, 'url') ?? before.url,
      enabled_events: types.length > 0 ? types : before.enabled_events,
      status: disabled === undefined ? before.status : disabled === 'true' ? 'disabled' : 'enabled',
      metadata: mergeMetadata(before.metadata, params),
    };
    this.#endpoints.set(id, changed);
    return this.#show(changed);
  }

  delete(id: string): Stripe.DeletedWebhookEndpoint {
    this.#stored(id);
    this.#endpoints.delete(id);
    return { id, object: 'webhook_endpoint', deleted: true };
  }

  #stored(id: string): Stripe.WebhookEndpoint {
    const endpoint = this.#endpoints.get(id);
    if (!endpoint) throw resourceMissing('webhook endpoint', id, 'webhook_endpoint');
    return endpoint;
  }

  #show(endpoint: Stripe.WebhookEndpoint): Stripe.WebhookEndpoint {
    if (endpoint.url !== SITE_URL) return endpoint;
    return { ...endpoint, url: `${this.#config.siteUrl}/api/webhooks/stripe` };
  }
}

function newEndpoint(id: string, url: string, enabledEvents: string[]): Stripe.WebhookEndpoint {
  return {
    id,
    object: 'webhook_endpoint',
    api_version: Stripe.API_VERSION,
    application: null,
    created: unixNow(),
    description: null,
    enabled_events: enabledEvents,
    livemode: false,
    metadata: {},
    status: 'enabled',
    url,
  };
}

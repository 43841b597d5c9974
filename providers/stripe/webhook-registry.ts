import { Stripe } from 'stripe';
import { z } from 'zod';
import type { WebhookRegistry } from '../gateway.ts';
import { ask } from './client.ts';
import { readers } from './events.ts';

type CreateParams = Stripe.WebhookEndpointCreateParams;

const endpoint = z.object({
  id: z.string(),
  url: z.string(),
  status: z.string(),
  enabled_events: z.array(z.string()),
  api_version: z.string().nullable(),
});

/** Stripe's webhook endpoints (https://docs.stripe.com/api/webhook_endpoints), of the mode of our key. */
export function stripeWebhookRegistry(stripe: Stripe): WebhookRegistry {
  return {
    apiVersion: Stripe.API_VERSION,
    allowsDuplicateUrls: true,

    async list() {
      const all = await ask(stripe.webhookEndpoints.list({ limit: 100 }).autoPagingToArray({ limit: 1_000 }));
      return all.map((listed) => {
        const { id, url, status, enabled_events: events, api_version: apiVersion } = endpoint.parse(listed);
        return { id, url, isEnabled: status === 'enabled', events, apiVersion };
      });
    },

    async create(url) {
      const created = await ask(
        stripe.webhookEndpoints.create({
          url,
          enabled_events: Object.keys(readers) as CreateParams['enabled_events'],
          api_version: Stripe.API_VERSION as CreateParams['api_version'] & string,
          description: 'Querywright',
        }),
      );
      return { setting: 'STRIPE_WEBHOOK_SECRET', value: z.string().parse(created.secret) };
    },
  };
}

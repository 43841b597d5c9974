import { z } from 'zod';
import type { Config } from '../../infra/config.ts';
import type { WebhookRegistry } from '../gateway.ts';
import type { PaypalClient } from './client.ts';
import { readers } from './events.ts';

const PATH = '/v1/notifications/webhooks';

const webhook = z.object({
  id: z.string(),
  url: z.string(),
  event_types: z.array(z.object({ name: z.string(), status: z.string().optional() })).default([]),
});
const webhookList = z.object({ webhooks: z.array(webhook).default([]) });

/** Our app's webhooks (https://developer.paypal.com/api/webhooks/v1/). PayPal cannot disable one: listed is enabled. */
export function paypalWebhookRegistry(
  { webhookId }: Config['paypal'],
  client: PaypalClient,
): WebhookRegistry {
  return {
    configuredId: webhookId,
    allowsDuplicateUrls: false,

    async list() {
      const answer = await client.ask('list webhooks', (api) => api.request('GET', PATH).callAsText());
      return webhookList.parse(answer).webhooks.map(({ id, url, event_types: types }) => {
        return { id, url, isEnabled: true, events: types.map(({ name }) => name) };
      });
    },

    async create(url) {
      const body = JSON.stringify({ url, event_types: Object.keys(readers).map((name) => ({ name })) });
      const answer = await client.ask('create webhook', (api) => {
        const request = api.request('POST', PATH);
        request.contentType('application/json');
        request.text(body);
        return request.callAsText();
      });
      return { setting: 'PAYPAL_WEBHOOK_ID', value: webhook.parse(answer).id };
    },
  };
}

import { Stripe } from 'stripe';
import type { Config } from '../../infra/config.ts';
import { measureCall } from '../../infra/metrics.ts';

/** Stripe's own client; each call ends within 9 s: two tries of 4 s and a pause with jitter in between. Each try is measured. */
export function createStripeClient(config: Config['stripe']): Stripe {
  const httpClient = Stripe.createNodeHttpClient();
  const send = httpClient.makeRequest.bind(httpClient);
  httpClient.makeRequest = (...request) => {
    const [, , path, method] = request;
    return measureCall(
      'stripe',
      operationOf(method, path),
      () => send(...request),
      (answer) => answer.getStatusCode(),
    );
  };
  return new Stripe(config.secretKey, {
    ...config.api,
    httpClient,
    timeout: 4_000,
    maxNetworkRetries: 1,
    telemetry: false,
    appInfo: { name: 'Querywright' },
  });
}

/** 'POST payment_intents/:id/cancel': what is done, without the object that it is done to. */
export function operationOf(method: string, path: string): string {
  const [, , resource = '', id, ...rest] = path.split('?')[0]?.split('/') ?? [];
  return `${method} ${[resource, ...(id ? [id === 'search' ? id : ':id'] : []), ...rest].join('/')}`;
}

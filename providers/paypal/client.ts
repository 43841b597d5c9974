import { setTimeout as sleep } from 'node:timers/promises';
import {
  ApiError,
  type ApiResponse,
  Client,
  Environment,
  OrdersController,
  PaymentsController,
} from '@paypal/paypal-server-sdk';
import type { Config } from '../../infra/config.ts';
import { within } from '../../infra/deadline.ts';
import { measureCall } from '../../infra/metrics.ts';
import { isOutage } from '../../infra/outage.ts';
import { ProviderError } from '../provider-error.ts';

type RequestBuilder = ReturnType<ReturnType<Client['getRequestBuilderFactory']>>;

interface PaypalApi {
  orders: OrdersController;
  payments: PaymentsController;
  client: Client;
  /** A call that the SDK has no method for, with our access token. */
  request(method: 'GET' | 'POST', path: string): RequestBuilder;
}

export type PaypalClient = ReturnType<typeof createPaypalClient>;

/** Every call ends within this time, its access token included. */
const DEADLINE_MS = 9_000;

/**
 * PayPal's SDK with time limits, typed errors, one repetition where it helps (every POST of ours carries a
 * PayPal-Request-Id or changes nothing), and an address that may be the sandbox's.
 */
export function createPaypalClient(config: Config['paypal']) {
  let api = connect(config);

  /** @throws ProviderError */
  async function call<T>(
    operation: string,
    question: (api: PaypalApi) => Promise<T>,
    deadlineMs = DEADLINE_MS,
  ): Promise<T> {
    const measured = (asked: PaypalApi) => measureCall('paypal', operation, () => question(asked));
    try {
      return await within(
        deadlineMs,
        once(measured).catch((failure) => onceMore(measured, failure)),
      );
    } catch (error) {
      throw asProviderError(error);
    }
  }

  async function once<T>(question: (api: PaypalApi) => Promise<T>): Promise<T> {
    try {
      return await question(api);
    } catch (error) {
      const failure = asProviderError(error);
      // The SDK keeps a failed or revoked access token; a new connection asks for a new one.
      if (isTransient(failure)) api = connect(config);
      throw failure;
    }
  }

  async function onceMore<T>(question: (api: PaypalApi) => Promise<T>, failure: ProviderError): Promise<T> {
    if (!isTransient(failure)) throw failure;
    await sleep(200 + Math.random() * 300);
    return once(question);
  }

  return {
    /** The JSON document that PayPal answers; `operation` names the call in the metrics. @throws ProviderError */
    async ask(
      operation: string,
      question: (api: PaypalApi) => Promise<ApiResponse<unknown>>,
      deadlineMs?: number,
    ): Promise<unknown> {
      const { body } = await call(operation, question, deadlineMs);
      return typeof body === 'string' && body !== '' ? JSON.parse(body) : undefined;
    },

    /** A token with which the buyer's browser may open PayPal's window on our site. @throws ProviderError */
    async clientToken(siteHost: string): Promise<string> {
      const params = { response_type: 'client_token', intent: 'sdk_init', 'domains[]': siteHost };
      const token = await call('client token', ({ client }) =>
        client.clientCredentialsAuthManager.fetchToken(params),
      );
      return token.accessToken;
    },
  };
}

function isTransient(failure: ProviderError): boolean {
  return failure.statusCode === 401 || isOutage(failure);
}

function connect(config: Config['paypal']): PaypalApi {
  const client = createClient(config);
  return {
    client,
    orders: new OrdersController(client),
    payments: new PaymentsController(client),
    request(method, path) {
      const request = client.getRequestBuilderFactory()(method, path);
      request.authenticate([{ oauth2: true }]);
      return request;
    },
  };
}

function createClient({ environment, clientId, clientSecret, apiUrl, local }: Config['paypal']): Client {
  const settings = {
    environment: environment === 'live' ? Environment.Production : Environment.Sandbox,
    clientCredentialsAuthCredentials: { oAuthClientId: clientId, oAuthClientSecret: clientSecret },
    // Without the SDK's own repetitions: it repeats refusals too.
    httpClientOptions: { timeout: 4_000 },
  };
  return local ? new LocalClient(settings, apiUrl) : new Client(settings);
}

/** The SDK knows PayPal's two addresses only; this one sends the same requests to the sandbox. */
class LocalClient extends Client {
  readonly #apiUrl: string;
  constructor(settings: ConstructorParameters<typeof Client>[0], apiUrl: string) {
    super(settings);
    this.#apiUrl = apiUrl;
  }
  override getRequestBuilderFactory(): ReturnType<Client['getRequestBuilderFactory']> {
    const create = super.getRequestBuilderFactory();
    return (...args) => {
      const builder = create(...args);
      builder.interceptRequest((request) => ({
        ...request,
        url: request.url.replace(/^https:\/\/api-m(\.sandbox)?\.paypal\.com/, this.#apiUrl),
      }));
      return builder;
    };
  }
}

function asProviderError(cause: unknown): ProviderError {
  if (cause instanceof ProviderError) return cause;
  if (!(cause instanceof ApiError)) {
    const why = cause instanceof Error ? cause.message : String(cause);
    return new ProviderError('paypal', `PayPal: no answer: ${why}`, {
      cause: cause instanceof Error ? why : cause,
    });
  }
  const { statusCode, result } = cause as ApiError<{ name?: string; details?: { issue?: string }[] }>;
  const reason = result?.details?.[0]?.issue ?? result?.name;
  return new ProviderError('paypal', `PayPal: ${statusCode} ${reason ?? ''}`.trim(), {
    statusCode,
    reason,
    cause: reason,
  });
}

import { Stripe } from 'stripe';
import type { Config } from '../../infra/config.ts';
import { within } from '../../infra/deadline.ts';
import { measureCall } from '../../infra/metrics.ts';
import { PermanentFailure, RetryLater } from '../../infra/retry.ts';
import { ProviderError } from '../provider-error.ts';

/** The limit for creating a payment, refunding and listing all refunds, retries and pages included. */
const DEADLINE_MS = 9_500;

/** Stripe's SDK. Each call ends within 9 s: two attempts of 4 s with jitter in between. Each attempt is measured. */
export function createStripeClient(config: Config['stripe']): Stripe {
  const httpClient = Stripe.createNodeHttpClient();
  const send = httpClient.makeRequest.bind(httpClient);
  httpClient.makeRequest = async (...request) => {
    const [, , path, method] = request;
    const answer = await measureCall(
      'stripe',
      operationOf(method, path),
      () => send(...request),
      (answer) => answer.getStatusCode(),
    );
    return withDocuments(answer);
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

/** The SDK takes an answer of `null` or a number for an object, in an unawaited promise, whose rejection ends the process. */
function withDocuments<A extends Stripe.HttpClientResponse>(answer: A): A {
  const read = answer.toJSON.bind(answer);
  answer.toJSON = async () => {
    const document: unknown = await read();
    if (typeof document !== 'object' || document === null)
      throw new SyntaxError('The response is not an object');
    return document;
  };
  return answer;
}

/** 'POST payment_intents/:id/cancel': the operation, without the object's id. */
export function operationOf(method: string, path: string): string {
  const [, , resource = '', id, ...rest] = path.split('?')[0]?.split('/') ?? [];
  return `${method} ${[resource, ...(id ? [id === 'search' ? id : ':id'] : []), ...rest].join('/')}`;
}

/** Stripe's answer. @throws ProviderError */
export async function ask<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    throw asProviderError(error);
  }
}

/** The result of several calls, within {@link DEADLINE_MS}. @throws ProviderError */
export async function answered<T>(call: Promise<T>): Promise<T> {
  return within(DEADLINE_MS, call).catch((error: unknown) => {
    const isOurs = error instanceof PermanentFailure || error instanceof RetryLater;
    if (error instanceof ProviderError || isOurs) throw error;
    throw new ProviderError('stripe', `Stripe: no answer within ${DEADLINE_MS} ms`, { cause: error });
  });
}

/** Whether Stripe repeats a 4xx that it stored under this idempotency key (https://docs.stripe.com/error-low-level#idempotency). */
export function isFormerRefusal(error: unknown): boolean {
  if (!(error instanceof ProviderError) || (error.statusCode ?? 500) >= 500) return false;
  const { cause } = error;
  return cause instanceof Stripe.errors.StripeError && cause.headers?.['idempotent-replayed'] === 'true';
}

/** The SDK's error as ours; an error that is none of Stripe's stays as it is. */
function asProviderError(error: unknown): unknown {
  if (!(error instanceof Stripe.errors.StripeError)) return error;
  const { statusCode, code, type, message } = error;
  const noAnswer = error instanceof Stripe.errors.StripeConnectionError;
  return new ProviderError('stripe', `Stripe: ${message}`, {
    statusCode: noAnswer ? undefined : statusCode,
    reason: code ?? type,
    cause: error,
  });
}

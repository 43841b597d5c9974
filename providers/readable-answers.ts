import { ZodError } from 'zod';
import type { PaymentMethod } from '../core/orders.ts';
import type { PaymentGateway } from './gateway.ts';
import { ProviderError } from './provider-error.ts';

const calls = [
  'createPayment',
  'report',
  'findPaymentOf',
  'cancelPayment',
  'refundPayment',
  'refundPart',
  'capturePayment',
  'originOf',
] as const;

/** Treats an answer that cannot be parsed like no answer: the outcome is unknown, and the caller may retry. */
export function withReadableAnswers<G extends PaymentGateway>(provider: PaymentMethod, gateway: G): G {
  const readable: Partial<PaymentGateway> = {};
  for (const name of calls) {
    const call = gateway[name] as ((...args: unknown[]) => Promise<unknown>) | undefined;
    if (!call) continue;
    const typed = (...args: unknown[]) =>
      call.apply(gateway, args).catch((error: unknown) => {
        throw asProviderError(provider, name, error);
      });
    Object.assign(readable, { [name]: typed });
  }
  return { ...gateway, ...readable };
}

function asProviderError(provider: PaymentMethod, call: string, error: unknown): unknown {
  const isUnreadable =
    error instanceof ZodError ||
    error instanceof SyntaxError ||
    error instanceof TypeError ||
    error instanceof RangeError;
  if (!isUnreadable) return error;
  return new ProviderError(provider, `${call}: the answer cannot be read`, { cause: error });
}

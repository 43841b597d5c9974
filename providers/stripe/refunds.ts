import type { Stripe } from 'stripe';
import type { Money } from '../../core/money.ts';
import type { RefundRequest } from '../gateway.ts';
import type { ProviderError } from '../provider-error.ts';
import { RefundUnknown } from '../refund-unknown.ts';
import { isRefundMade, type ListedRefund } from '../refunded-elsewhere.ts';
import { answered, ask } from './client.ts';
import { withNextKeys } from './idempotency.ts';
import { toMinorUnits } from './minor-units.ts';
import { stripeIntent, stripeRefund } from './resources.ts';

/** Reads and makes the refunds of a payment. Each call ends within one deadline. */
export function createStripeRefunds(stripe: Stripe) {
  function readAll(paymentId: string): Promise<Stripe.Refund[]> {
    const refunds = stripe.refunds.list({ payment_intent: paymentId, limit: 100 });
    return answered(ask(refunds.autoPagingToArray({ limit: 1000 })));
  }

  async function list(paymentId: string) {
    return (await readAll(paymentId)).map((refund) => stripeRefund.parse(refund));
  }

  async function isFullyRefunded(paymentId: string): Promise<boolean> {
    const [refunds, intent] = await Promise.all([
      list(paymentId),
      ask(stripe.paymentIntents.retrieve(paymentId)),
    ]);
    const returned = refunds
      .filter(({ status }) => status !== 'failed' && status !== 'canceled')
      .reduce((sum, { amount }) => sum + amount, 0);
    return returned >= stripeIntent.parse(intent).amount_received;
  }

  /** Refunds all that is left. Stripe makes only one full refund, so the next key is always safe. */
  async function refundAll(paymentId: string): Promise<void> {
    const params = { payment_intent: paymentId, reason: 'duplicate' } as const;
    await withNextKeys<unknown>(
      `refund-${paymentId}`,
      (idempotencyKey) => stripe.refunds.create(params, { idempotencyKey }),
      async () => (await isFullyRefunded(paymentId)) || undefined,
    );
  }

  /** Checks first: an earlier request may have taken effect, whatever its answer. */
  async function refundOnce(paymentId: string, amount: number, request: RefundRequest): Promise<void> {
    if (isRefundMade('stripe', (await readAll(paymentId)).map(listed), request)) return;
    const key = partKey(request);
    if (!key) throw new RefundUnknown('Stripe does not list it');
    const params = {
      payment_intent: paymentId,
      amount,
      reason: 'requested_by_customer',
      metadata: { refundKey: request.key },
    } as const;
    await withNextKeys(key, (idempotencyKey) => stripe.refunds.create(params, { idempotencyKey }));
  }

  return {
    list,

    async refundPayment(paymentId: string): Promise<void> {
      try {
        await answered(refundAll(paymentId));
      } catch (error) {
        if ((error as ProviderError).reason !== 'charge_already_refunded') throw error;
      }
    },

    refundPart: (paymentId: string, money: Money, request: RefundRequest): Promise<void> =>
      answered(refundOnce(paymentId, toMinorUnits(money.amount, money.currency), request)),
  };
}

const PHASE_MS = 6 * 3_600_000;

/**
 * The idempotency key of a partial refund; undefined while we may only check. A 500 is indeterminate: Stripe may roll the
 * request forward later, and advises against a new key (https://docs.stripe.com/error-low-level#server-errors). So one key is
 * used for six hours from the first failure, a second one after six hours without a request, and a third one only if staff
 * retry the job, at least six hours after the last 500. Keys are kept for at least 24 h
 * (https://docs.stripe.com/api/idempotent_requests).
 */
function partKey({ key, failingForMs = 0, retries = 0 }: RefundRequest): string | undefined {
  const phase = Math.floor(failingForMs / PHASE_MS);
  if (phase !== 0 && phase !== 2) return undefined;
  const former = 2 * retries + phase / 2;
  return `refund-${key}${former > 0 ? `-r${former}` : ''}`;
}

function listed({ id, status, metadata }: Stripe.Refund): ListedRefund {
  return { id, key: metadata?.refundKey, hasFailed: status === 'failed' || status === 'canceled' };
}

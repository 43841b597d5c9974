import type { Stripe } from 'stripe';
import type { Money } from '../../core/money.ts';
import type { RefundRequest } from '../gateway.ts';
import type { ProviderError } from '../provider-error.ts';
import { isRefundMade, type ListedRefund } from '../refunded-elsewhere.ts';
import { answered, ask } from './client.ts';
import { withNextKeys } from './idempotency.ts';
import { stripeRefund } from './resources.ts';

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
    return returned >= intent.amount_received;
  }

  /** Makes a refund, unless `isMade` shows that an attempt whose answer was an error took effect. */
  async function refund(
    params: Stripe.RefundCreateParams,
    key: string,
    isMade: () => Promise<boolean>,
  ): Promise<void> {
    await withNextKeys<unknown>(
      `refund-${key}`,
      (idempotencyKey) => stripe.refunds.create(params, { idempotencyKey }),
      async () => (await isMade()) || undefined,
    );
  }

  return {
    list,

    async refundPayment(paymentId: string): Promise<void> {
      const params = { payment_intent: paymentId, reason: 'duplicate' } as const;
      try {
        await answered(refund(params, paymentId, () => isFullyRefunded(paymentId)));
      } catch (error) {
        if ((error as ProviderError).reason !== 'charge_already_refunded') throw error;
      }
    },

    // Looks first: a job may be retried after Stripe has dropped its key, which is kept for at least 24 h.
    async refundPart(paymentId: string, { amount }: Money, request: RefundRequest): Promise<void> {
      const isMade = async () => isRefundMade('stripe', (await readAll(paymentId)).map(listed), request);
      const params = {
        payment_intent: paymentId,
        amount,
        reason: 'requested_by_customer',
        metadata: { refundKey: request.key },
      } as const;
      await answered(isMade().then((made) => (made ? undefined : refund(params, request.key, isMade))));
    },
  };
}

function listed({ id, status, metadata }: Stripe.Refund): ListedRefund {
  return { id, key: metadata?.refundKey, isOver: status === 'failed' || status === 'canceled' };
}

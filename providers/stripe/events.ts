import type Stripe from 'stripe';
import type { PaymentReport } from '../gateway.ts';
import type { StripeGateway } from './gateway.ts';
import { factsOfIntent, idOf } from './gateway.ts';

/**
 * What a Stripe event says, or undefined for a type we do not act on. A success is believed as it stands: money
 * taken is money taken. Where the order of arrival matters the event only tells us what to ask about (design §6).
 */
export async function readStripeEvent(
  stripe: StripeGateway,
  event: Stripe.Event,
  databaseTime: () => Promise<number>,
): Promise<PaymentReport | undefined> {
  const ask = async (intent: string | { id: string } | null) => {
    const id = idOf(intent);
    return id ? stripe.report(id, await databaseTime()) : undefined;
  };
  switch (event.type) {
    case 'payment_intent.succeeded': {
      const intent = event.data.object;
      return { paymentIntentId: intent.id, metadata: intent.metadata ?? {}, facts: factsOfIntent(intent, 0) };
    }
    case 'payment_intent.processing':
    case 'payment_intent.payment_failed':
    case 'payment_intent.canceled':
      return ask(event.data.object);
    case 'charge.refunded':
    case 'charge.dispute.created':
    case 'charge.dispute.closed':
      return ask(event.data.object.payment_intent);
    default:
      return undefined;
  }
}

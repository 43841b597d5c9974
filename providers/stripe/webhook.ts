import type Stripe from 'stripe';
import type { Config } from '../../infra/config.ts';
import { type VerifiedEvent, WebhookRefused, type WebhookVerifier } from '../gateway.ts';
import { stripeEvent } from './facts.ts';

const TOLERANCE_SECONDS = 300;

/**
 * Verifies Stripe's webhooks on the raw bytes (https://docs.stripe.com/webhooks#verify-manually). Only the signature is
 * checked by the SDK: its `constructEvent` throws for thin (v2) events, whose signature is as good as any other's.
 */
export function stripeWebhook(stripe: Stripe, { webhookSecrets }: Config['stripe']): WebhookVerifier {
  function isSigned(rawBody: Buffer, signature: string): unknown {
    let failure: unknown;
    for (const secret of webhookSecrets) {
      try {
        stripe.webhooks.signature?.verifyHeader(rawBody, signature, secret, TOLERANCE_SECONDS);
        return undefined;
      } catch (error) {
        failure = error;
      }
    }
    return failure;
  }

  return {
    isConfigured: webhookSecrets.length > 0,
    requiredHeaders: ['stripe-signature'],
    async verify(rawBody, header): Promise<VerifiedEvent> {
      const failure = isSigned(rawBody, header('stripe-signature') ?? '');
      if (failure) throw new WebhookRefused('bad_signature', failure);
      const event = stripeEvent.safeParse(parseJson(rawBody));
      if (!event.success) throw new WebhookRefused('not_an_event', event.error);
      return { eventId: event.data.id, type: event.data.type };
    },
  };
}

function parseJson(rawBody: Buffer): unknown {
  try {
    return JSON.parse(rawBody.toString('utf8'));
  } catch {
    return undefined;
  }
}

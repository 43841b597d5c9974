import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Config } from '../../infra/config.ts';
import { type VerifiedEvent, WebhookRefused, type WebhookVerifier } from '../gateway.ts';
import { parseJson } from '../parse-json.ts';
import { namesOrder, stripeEvent } from './resources.ts';

const HEADER = 'stripe-signature';
const TOLERANCE_SECONDS = 300;
const MAX_HEADER_LENGTH = 1_000;

interface Signature {
  timestamp: string;
  digests: Buffer[];
}

/**
 * Verifies Stripe's webhooks on the raw bytes (https://docs.stripe.com/webhooks#verify-manually). The SDK would decode
 * the body first, and keep it in its errors.
 */
export function stripeWebhook({ webhookSecrets }: Config['stripe']): WebhookVerifier {
  return {
    isConfigured: webhookSecrets.length > 0,

    headerFault(header) {
      const text = header(HEADER);
      if (!text) return 'The Stripe-Signature header is missing';
      const signature = readSignature(text);
      if (!signature) return 'The Stripe-Signature header is malformed';
      return isCurrent(signature) ? undefined : 'The signature is too old, or from the future';
    },

    async verify(rawBody, header): Promise<VerifiedEvent> {
      const signature = readSignature(header(HEADER) ?? '');
      const isSigned =
        signature !== undefined &&
        isCurrent(signature) &&
        webhookSecrets.some((secret) => isSignedWith(secret, signature, rawBody));
      if (!isSigned) throw new WebhookRefused('bad_signature');
      const event = stripeEvent.safeParse(parseJson(rawBody));
      if (!event.success) throw new WebhookRefused('not_an_event', event.error);
      const named = namesOrder.safeParse(event.data.data?.object).data;
      return { eventId: event.data.id, type: event.data.type, orderId: named?.metadata.orderId };
    },
  };
}

/** `t=<seconds>,v1=<hex>`; other schemes are ignored. */
function readSignature(header: string): Signature | undefined {
  if (header.length > MAX_HEADER_LENGTH) return undefined;
  const fields = header.split(',');
  const timestamp = fields.find((field) => /^t=\d{1,12}$/.test(field))?.slice(2);
  const digests = fields
    .filter((field) => /^v1=[0-9a-f]{64}$/.test(field))
    .map((field) => Buffer.from(field.slice(3), 'hex'));
  return timestamp && digests.length > 0 ? { timestamp, digests } : undefined;
}

function isCurrent({ timestamp }: Signature): boolean {
  return Math.abs(Date.now() / 1_000 - Number(timestamp)) <= TOLERANCE_SECONDS;
}

function isSignedWith(secret: string, { timestamp, digests }: Signature, rawBody: Buffer): boolean {
  const expected = createHmac('sha256', secret).update(`${timestamp}.`).update(rawBody).digest();
  return digests.some((digest) => timingSafeEqual(digest, expected));
}

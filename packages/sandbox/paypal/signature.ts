import { randomUUID, sign } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { WebhookMessage } from '../webhooks.ts';
import type { SigningKeys } from './signing-keys.ts';
import { payPalNow } from './state.ts';

/** Signs a delivery as PayPal does: id, time, webhook id and the body's CRC-32, joined by bars. */
export function signDelivery(
  { body }: WebhookMessage,
  webhookId: string,
  certUrl: string,
  keys: SigningKeys,
): Record<string, string> {
  const transmissionId = randomUUID();
  const time = payPalNow();
  const message = signedText(transmissionId, time, webhookId, body);
  return {
    'user-agent': 'PayPal/AUHD-1.0-1',
    'paypal-auth-algo': 'SHA256withRSA',
    'paypal-auth-version': 'v2',
    'paypal-cert-url': certUrl,
    'paypal-transmission-id': transmissionId,
    'paypal-transmission-sig': sign('sha256', Buffer.from(message), keys.privateKey).toString('base64'),
    'paypal-transmission-time': time,
  };
}

export function signedText(transmissionId: string, time: string, webhookId: string, body: string): string {
  return `${transmissionId}|${time}|${webhookId}|${crc32(body)}`;
}

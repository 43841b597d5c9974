import { verify } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { z } from 'zod';
import type { Config } from '../../infra/config.ts';
import { type HeaderReader, WebhookRefused, type WebhookVerifier } from '../gateway.ts';
import { parseJson } from '../parse-json.ts';
import { ProviderError } from '../provider-error.ts';
import { CertificateUndecided, certificateSource } from './certificates.ts';
import type { PaypalClient } from './client.ts';
import { orderNamedIn } from './events.ts';

// The headers with which PayPal signs a delivery (its document 'Webhooks: verify message signatures').
const headers = [
  'paypal-transmission-id',
  'paypal-transmission-time',
  'paypal-transmission-sig',
  'paypal-cert-url',
  'paypal-auth-algo',
] as const;

interface Transmission {
  id: string;
  time: string;
  signature: string;
  certificateUrl: string;
  algorithm: string;
}

/** The form of each value. Anything else cannot be a delivery of PayPal's. */
const shapes: Record<(typeof headers)[number], RegExp> = {
  'paypal-transmission-id': /^[\w-]{1,100}$/,
  'paypal-transmission-time': /^[\d.:TZ+-]{10,40}$/,
  'paypal-transmission-sig': /^[\w+/]{80,1400}={0,2}$/,
  'paypal-cert-url': /^.{1,300}$/,
  'paypal-auth-algo': /^SHA256withRSA$/,
};

/** PayPal names no age at which a delivery is too old; it stops trying after three days. */
const MAX_AGE_MS = 4 * 24 * 3_600_000;
const MAX_AHEAD_MS = 300_000;
/** With more concurrent questions to PayPal, or about larger events, forgers could use up our calls. */
const MAX_QUESTIONS = 4;
const MAX_QUESTION_BYTES = 64 * 1024;

/** Verifies PayPal's webhooks by their certificate, and asks PayPal only if the certificate cannot be verified here. */
export function paypalWebhook(config: Config['paypal'], client: PaypalClient): WebhookVerifier {
  const certificates = certificateSource(config);
  let questions = 0;

  function headerFault(header: HeaderReader): string | undefined {
    const missing = headers.find((name) => !header(name));
    if (missing) return `The ${titleCase(missing)} header is missing`;
    const malformed = headers.find((name) => !shapes[name].test(header(name) ?? ''));
    if (malformed) return `The ${titleCase(malformed)} header is malformed`;
    const { time, certificateUrl } = readTransmission(header);
    const ageMs = Date.now() - Date.parse(time);
    const isCurrent = ageMs <= MAX_AGE_MS && ageMs >= -MAX_AHEAD_MS;
    if (!isCurrent) return 'The signature is too old, or from the future';
    return certificates.isPaypals(certificateUrl) ? undefined : 'The certificate is not one of PayPal’s';
  }

  async function isGenuine(rawBody: Buffer, transmission: Transmission): Promise<boolean> {
    const { id, time, signature, certificateUrl } = transmission;
    try {
      const key = await certificates.keyAt(certificateUrl);
      if (!key) return false;
      const message = `${id}|${time}|${config.webhookId}|${crc32(rawBody)}`;
      return verify('sha256', Buffer.from(message), key, Buffer.from(signature, 'base64'));
    } catch (error) {
      if (!(error instanceof CertificateUndecided)) throw error;
      const tooMuch = questions >= MAX_QUESTIONS || rawBody.length > MAX_QUESTION_BYTES;
      if (error.isBusy || tooMuch) throw busy(error);
      questions++;
      return await askPaypal(rawBody, transmission).finally(() => {
        questions--;
      });
    }
  }

  async function askPaypal(rawBody: Buffer, transmission: Transmission): Promise<boolean> {
    const fields = JSON.stringify({
      auth_algo: transmission.algorithm,
      cert_url: transmission.certificateUrl,
      transmission_id: transmission.id,
      transmission_sig: transmission.signature,
      transmission_time: transmission.time,
      webhook_id: config.webhookId,
    });
    // The event is embedded as it came: parsed and serialized again it might have another checksum.
    const body = `${fields.slice(0, -1)},"webhook_event":${rawBody.toString('utf8')}}`;
    const answer = await client.ask('verify webhook', (api) => {
      const request = api.request('POST', '/v1/notifications/verify-webhook-signature');
      request.contentType('application/json');
      request.text(body);
      return request.callAsText();
    });
    return (answer as { verification_status?: string }).verification_status === 'SUCCESS';
  }

  return {
    isConfigured: config.webhookId !== '',
    headerFault,
    async verify(rawBody, header) {
      if (headerFault(header) !== undefined) throw new WebhookRefused('bad_signature');
      if (!(await isGenuine(rawBody, readTransmission(header)))) throw new WebhookRefused('bad_signature');
      const event = webhookEvent.safeParse(parseJson(rawBody));
      if (!event.success) throw new WebhookRefused('not_an_event', event.error);
      const { id, event_type: type, resource } = event.data;
      return { eventId: id, type, orderId: orderNamedIn(resource) };
    },
  };
}

const webhookEvent = z.object({ id: z.string(), event_type: z.string(), resource: z.unknown() });

function readTransmission(header: HeaderReader): Transmission {
  const [id = '', time = '', signature = '', certificateUrl = '', algorithm = ''] = headers.map(header);
  return { id, time, signature, certificateUrl, algorithm };
}

function busy(cause: unknown): ProviderError {
  return new ProviderError('paypal', 'verify webhook: too many at once', { cause });
}

function titleCase(header: string): string {
  return header.replace(/(^|-)[a-z]/g, (letter) => letter.toUpperCase());
}

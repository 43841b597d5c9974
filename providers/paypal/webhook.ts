import { verify } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Config } from '../../infra/config.ts';
import { CertificateUndecided, certificateSource } from './certificates.ts';
import type { PaypalClient } from './client.ts';

/** The headers with which PayPal signs a delivery (its document 'Webhooks: verify message signatures'). */
export interface Transmission {
  id: string;
  time: string;
  signature: string;
  certificateUrl: string;
  algorithm: string;
}

/** PayPal names no age at which a delivery is too old; it stops trying after three days. */
const OLDEST_MS = 4 * 24 * 3_600_000;
const MOST_AHEAD_MS = 300_000;

/**
 * Whether PayPal sent this body to our webhook: offline, by the certificate that signed it; only where the certificate
 * cannot be judged here, by asking PayPal.
 * @throws PaypalError if PayPal would have to be asked and cannot be reached: not decided, to be sent again
 */
export function createWebhookVerifier(config: Config['paypal'], client: PaypalClient) {
  const certificates = certificateSource(config);

  return async function isGenuine(rawBody: Buffer, transmission: Transmission): Promise<boolean> {
    const { id, time, signature, certificateUrl, algorithm } = transmission;
    const age = Date.now() - Date.parse(time);
    if (!(age <= OLDEST_MS && age >= -MOST_AHEAD_MS) || algorithm !== 'SHA256withRSA') return false;
    if (!certificates.isPaypals(certificateUrl)) return false;
    try {
      const key = await certificates.keyAt(certificateUrl);
      if (!key) return false;
      const message = `${id}|${time}|${config.webhookId}|${crc32(rawBody)}`;
      return verify('sha256', Buffer.from(message), key, Buffer.from(signature, 'base64'));
    } catch (error) {
      if (error instanceof CertificateUndecided) return askPaypal(rawBody, transmission);
      throw error;
    }
  };

  async function askPaypal(rawBody: Buffer, transmission: Transmission): Promise<boolean> {
    const fields = JSON.stringify({
      auth_algo: transmission.algorithm,
      cert_url: transmission.certificateUrl,
      transmission_id: transmission.id,
      transmission_sig: transmission.signature,
      transmission_time: transmission.time,
      webhook_id: config.webhookId,
    });
    // The event goes as it came: parsed and written again it might have another checksum.
    const body = `${fields.slice(0, -1)},"webhook_event":${rawBody.toString('utf8')}}`;
    const answer = await client.ask('verify webhook', (api) => {
      const request = api.request('POST', '/v1/notifications/verify-webhook-signature');
      request.contentType('application/json');
      request.text(body);
      return request.callAsText();
    });
    return (answer as { verification_status?: string }).verification_status === 'SUCCESS';
  }
}

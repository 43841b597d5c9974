import { verify, X509Certificate } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { PayPalClient } from '../testing/paypal-client.ts';
import { type RunningSandbox, startSandbox } from '../testing/sandbox.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../testing/webhook-receiver.ts';
import { signedText } from './signature.ts';

let site: WebhookReceiver;
let sandbox: RunningSandbox;
let paypal: PayPalClient;

beforeAll(async () => {
  site = await startWebhookReceiver();
  sandbox = await startSandbox({ siteUrl: site.url });
  paypal = new PayPalClient(sandbox);
});
beforeEach(() => {
  site.received.length = 0;
});
afterAll(async () => {
  await sandbox.close();
  await site.close();
});

test('reports a purchase with PayPal’s event types', async () => {
  await paypal.buy();
  await expect
    .poll(() => site.types().sort())
    .toEqual(['CHECKOUT.ORDER.APPROVED', 'PAYMENT.CAPTURE.COMPLETED']);
  const event = eventOf('PAYMENT.CAPTURE.COMPLETED');
  expect(event).toMatchObject({
    event_version: '1.0',
    resource_type: 'capture',
    resource: {
      status: 'COMPLETED',
      custom_id: 'order-1',
      amount: { value: '2999.00' },
      supplementary_data: { related_ids: { order_id: expect.any(String) } },
    },
  });
});

test('reports refunds, reversals and disputes', async () => {
  const denied = await paypal.buy('pending');
  await paypal.control(`/captures/${denied.captureId}/deny`);
  const refunded = await paypal.buy();
  await paypal.control(`/captures/${refunded.captureId}/refund`, {
    amount: { currency_code: 'USD', value: '5.00' },
  });
  await paypal.control(`/captures/${refunded.captureId}/reverse`);
  const disputed = await paypal.buy();
  const dispute = await paypal.control(`/captures/${disputed.captureId}/dispute`);
  await paypal.control(`/disputes/${Reflect.get(dispute, 'dispute_id')}/resolve`, { outcome: 'won' });
  await expect
    .poll(() => site.types())
    .toEqual(
      expect.arrayContaining([
        ...[
          'PAYMENT.CAPTURE.PENDING',
          'PAYMENT.CAPTURE.DENIED',
          'PAYMENT.CAPTURE.REFUNDED',
          'PAYMENT.CAPTURE.REVERSED',
        ],
        ...['CUSTOMER.DISPUTE.CREATED', 'CUSTOMER.DISPUTE.RESOLVED'],
      ]),
    );
  const refund = eventOf('PAYMENT.CAPTURE.REFUNDED');
  const up = refund.resource.links.find(({ rel }: { rel: string }) => rel === 'up');
  expect(up.href).toMatch(new RegExp(`/v2/payments/captures/${refunded.captureId}$`));
  expect(eventOf('CUSTOMER.DISPUTE.CREATED').resource.disputed_transactions[0]).toMatchObject({
    seller_transaction_id: disputed.captureId,
  });
});

test('signs every delivery so that it can be verified offline', async () => {
  await paypal.buy();
  await expect.poll(() => site.received.length).toBe(2);
  const [delivery] = site.received;
  const header = (name: string) => String(delivery?.headers[`paypal-${name}`]);
  expect(header('auth-algo')).toBe('SHA256withRSA');
  expect(header('cert-url')).toMatch(new RegExp(`^${sandbox.url}/paypal/v1/notifications/certs/`));

  const chain = await (await fetch(header('cert-url'))).text();
  const [leaf, issuer] = chain
    .split(/(?<=-----END CERTIFICATE-----\n)/)
    .map((pem) => new X509Certificate(pem));
  const root = new X509Certificate(await (await fetch(`${sandbox.url}/paypal/sandbox/root.pem`)).text());
  if (!leaf || !issuer) throw new Error('the chain is not two certificates');
  expect(leaf.checkIssued(issuer) && leaf.verify(issuer.publicKey)).toBe(true);
  expect(issuer.checkIssued(root) && issuer.verify(root.publicKey) && root.verify(root.publicKey)).toBe(true);
  expect([leaf.ca, issuer.ca, root.ca]).toEqual([false, true, true]);
  expect(leaf.subjectAltName).toBe('DNS:messageverificationcerts.sandbox.paypal.com');
  expect(Date.parse(leaf.validTo)).toBeGreaterThan(Date.now());

  const text = signedText(
    header('transmission-id'),
    header('transmission-time'),
    '1SANDBOXQUERYWRIGHT',
    delivery?.body ?? '',
  );
  const signature = Buffer.from(header('transmission-sig'), 'base64');
  expect(verify('sha256', Buffer.from(text), leaf.publicKey, signature)).toBe(true);
  expect(verify('sha256', Buffer.from(`${text}0`), leaf.publicKey, signature)).toBe(false);
});

test('verifies its own deliveries only', async () => {
  await paypal.buy();
  await expect.poll(() => site.received.length).toBe(2);
  const [delivery] = site.received;
  const header = (name: string) => String(delivery?.headers[`paypal-${name}`]);
  const question = {
    auth_algo: header('auth-algo'),
    cert_url: header('cert-url'),
    transmission_id: header('transmission-id'),
    transmission_sig: header('transmission-sig'),
    transmission_time: header('transmission-time'),
    webhook_id: '1SANDBOXQUERYWRIGHT',
    webhook_event: JSON.parse(delivery?.body ?? ''),
  };
  const ask = async (more: object) => {
    const answer = await paypal.call('POST', '/v1/notifications/verify-webhook-signature', {
      ...question,
      ...more,
    });
    return Reflect.get(answer.body, 'verification_status');
  };
  expect(await ask({})).toBe('SUCCESS');
  expect(await ask({ webhook_id: 'SOMEONEELSE' })).toBe('FAILURE');
  expect(await ask({ webhook_event: { ...question.webhook_event, summary: 'forged' } })).toBe('FAILURE');
});

test('lists events by time and type, and shows them', async () => {
  const started = new Date().toISOString();
  await paypal.buy();
  await expect.poll(() => site.received.length).toBe(2);
  const query = new URLSearchParams({ start_time: started, event_type: 'PAYMENT.CAPTURE.COMPLETED' });
  const { body } = await paypal.call('GET', `/v1/notifications/webhooks-events?${query}`);
  const events: { id: string; event_type: string }[] = Reflect.get(body, 'events');
  expect(events.map(({ event_type }) => event_type)).toEqual(['PAYMENT.CAPTURE.COMPLETED']);
  const path = `/v1/notifications/webhooks-events/${events[0]?.id}`;
  expect((await paypal.call('GET', path)).body.id).toBe(events[0]?.id);
});

function eventOf(type: string) {
  return site.received.map(({ body }) => JSON.parse(body)).find(({ event_type }) => event_type === type);
}

import { readFileSync } from 'node:fs';
import type Stripe from 'stripe';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningSandbox, startSandbox } from '../testing/sandbox.ts';

const file = new URL('../specs/stripe-objects.json', import.meta.url);
type Structure = { [key: string]: string | Structure };

describe('every object has the fields of Stripe’s sample:', () => {
  let sandbox: RunningSandbox;
  let samples: Record<string, Structure>;
  const objects: Record<string, object[]> = {};

  beforeAll(async () => {
    samples = JSON.parse(readFileSync(file, 'utf8')).objects;
    sandbox = await startSandbox();
    const { stripeClient: stripe } = sandbox;
    const { id } = await stripe.paymentIntents.create({ amount: 1000, currency: 'usd' });
    await stripe.paymentIntents
      .confirm(id, { payment_method: 'pm_card_chargeDeclined' })
      .catch(() => undefined);
    const paid = await stripe.paymentIntents.confirm(id, {
      payment_method: 'pm_card_visa',
      expand: ['latest_charge'],
    });
    const charge = paid.latest_charge as Stripe.Charge;
    const refund = await stripe.refunds.create({ charge: charge.id, amount: 100 });
    await fetch(`${sandbox.url}/stripe/sandbox/charges/${charge.id}/dispute`, { method: 'POST' });
    objects.payment_intent = [await stripe.paymentIntents.create({ amount: 1000, currency: 'usd' }), paid];
    objects.charge = (await stripe.charges.list()).data;
    objects.refund = [refund];
    objects.event = (await stripe.events.list()).data;
    objects.dispute = (await stripe.disputes.list()).data;
    const created = await stripe.webhookEndpoints.create({
      url: 'https://shop.example/hooks',
      enabled_events: ['charge.refunded'],
    });
    objects.webhook_endpoint = [created, ...(await stripe.webhookEndpoints.list()).data];
  });
  afterAll(() => sandbox.close());

  test.each(['payment_intent', 'charge', 'refund', 'event', 'dispute', 'webhook_endpoint'])('%s', (kind) => {
    expect(objects[kind]?.length).toBeGreaterThan(0);
    for (const object of objects[kind] ?? []) expect(missingKeys(samples[kind] ?? {}, object)).toEqual([]);
  });
});

// Fields whose structure depends on the kind of object or on the caller.
const FREE = [
  'metadata',
  'last_payment_error',
  'next_action',
  'processing',
  'payment_method_options',
  'data',
  'source',
  'destination_details',
  'refunds',
];

/** The paths of the sample's keys that ours lacks, in objects that both have. */
function missingKeys(sample: Structure, ours: object, path = ''): string[] {
  return Object.entries(sample).flatMap(([key, structure]) => {
    const own: unknown = Reflect.get(ours, key);
    if (own === undefined) return [`${path}${key}`];
    if (FREE.includes(key) || typeof structure === 'string' || !isPlain(own)) return [];
    return missingKeys(structure, own, `${path}${key}.`);
  });
}

function isPlain(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

// Makes the fixtures in this folder from the providers' published documents:
//   node packages/sandbox/specs/make-fixtures.mjs <folder of the documents>
// Only structure is kept (fields, types, enums, formats, limits, references), and only of the operations in use.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const documents = {
  'paypal-checkout-orders-v2': [
    'post /v2/checkout/orders',
    'get /v2/checkout/orders/{id}',
    'post /v2/checkout/orders/{id}/capture',
  ],
  'paypal-payments-v2': [
    'get /v2/payments/captures/{capture_id}',
    'post /v2/payments/captures/{capture_id}/refund',
    'get /v2/payments/refunds/{refund_id}',
  ],
  'paypal-webhooks-v1': [
    'get /v1/notifications/webhooks',
    'post /v1/notifications/webhooks',
    'get /v1/notifications/webhooks/{webhook_id}',
    'delete /v1/notifications/webhooks/{webhook_id}',
    'post /v1/notifications/verify-webhook-signature',
    'get /v1/notifications/webhooks-events',
    'get /v1/notifications/webhooks-events/{event_id}',
  ],
};
const stripeObjects = ['payment_intent', 'charge', 'refund', 'event', 'dispute', 'webhook_endpoint'];
const PROSE = ['description', 'title', 'summary', 'example', 'examples', 'externalDocs'];

const source = process.argv[2];
if (!source) {
  console.error('Usage: node make-fixtures.mjs <folder of the documents>');
  process.exit(1);
}
for (const [name, operations] of Object.entries(documents)) {
  write(name, openApiFixture(read(name), operations, name));
}
write('stripe-objects', stripeFixture(read('stripe-objects')));

/** The operations with everything that they reference. */
function openApiFixture(document, operations, name) {
  const kept = { paths: {}, components: {} };
  const open = [];
  for (const entry of operations) {
    const [method, address] = entry.split(' ');
    const { requestBody, responses } = document.paths[address][method];
    const operation = structureOf({ requestBody, responses });
    kept.paths[address] = { ...kept.paths[address], [method]: operation };
    open.push(operation);
  }
  for (let next = open.pop(); next; next = open.pop()) {
    for (const [, group, key] of JSON.stringify(next).matchAll(/"#\/components\/([^/"]+)\/([^"]+)"/g)) {
      kept.components[group] ??= {};
      if (kept.components[group][key]) continue;
      kept.components[group][key] = structureOf(document.components[group][key]);
      open.push(kept.components[group][key]);
    }
  }
  const { title, version } = document.info;
  return { source: `PayPal, OpenAPI document of ${title} (${name}.json), Apache-2.0`, version, ...kept };
}

/** The schema without descriptive texts; fields that are named like them stay. */
function structureOf(node, isFieldMap = false) {
  if (Array.isArray(node)) return node.map((item) => structureOf(item));
  if (typeof node !== 'object' || node === null) return node;
  const entries = Object.entries(node)
    .filter(([key, value]) => isFieldMap || !(isProse(key) || (key === 'enum' && isText(value))))
    .map(([key, value]) => [key, structureOf(value, !isFieldMap && key === 'properties')]);
  return Object.fromEntries(entries);
}

function isProse(key) {
  return PROSE.includes(key) || key.startsWith('x-');
}

/** An enumeration of sentences, such as the messages of errors. */
function isText(values) {
  return values.some((value) => typeof value === 'string' && value.includes(' '));
}

/** The types of a sample object's fields. */
function stripeFixture(samples) {
  const objects = Object.fromEntries(stripeObjects.map((kind) => [kind, typesOf(samples[kind])]));
  return { source: "Stripe's sample objects (stripe-objects.json), MIT", version: 'none given', objects };
}

function typesOf(value) {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value !== 'object') return typeof value;
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, typesOf(field)]));
}

function read(name) {
  return JSON.parse(readFileSync(path.join(source, `${name}.json`), 'utf8'));
}

function write(name, fixture) {
  writeFileSync(path.join(import.meta.dirname, `${name}.json`), `${JSON.stringify(fixture)}\n`);
}

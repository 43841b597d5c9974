import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { behaviorNames, behaviors } from './behaviors.ts';
import { captureIssues } from './paypal/capture-issues.ts';
import { drawBehavior } from './testing/draw-behavior.ts';
import { type RunningSandbox, startSandbox } from './testing/sandbox.ts';

let sandbox: RunningSandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

test('switches behaviors on, lists them and switches them off', async () => {
  const request = { name: 'stripe-pending-refund', value: 'failed', ms: 50, match: 'ch_1' };
  expect((await post({ ...request, count: 2 })).status).toBe(201);
  expect(await get('')).toMatchObject([{ ...request, remaining: 2, matched: 0 }]);
  await fetch(`${sandbox.url}/behaviors`, { method: 'DELETE' });
  expect(await get('')).toEqual([]);
  expect(await get('/catalogue')).toEqual(behaviors);
});

test.each([
  [{}, 'name must be one of'],
  [{ name: 'stripe-live-event', value: 'x' }, 'takes no value'],
  [{ name: 'stripe-live-event', ms: 5 }, 'takes no ms'],
  [{ name: 'paypal-echeck', value: 'x' }, 'value must be one of completed, denied'],
  [{ name: 'paypal-echeck', ms: 0 }, 'ms must be a positive whole number'],
])('refuses %j', async (request, message) => {
  const answer = await post(request);
  expect(answer.status).toBe(400);
  expect((await answer.json()).message).toContain(message);
});

test('matches as often as requested, and only what it is for', () => {
  const { behaviors: active } = sandbox;
  active.add({ name: 'stripe-live-event', count: 1, match: 'pi_1' });
  expect(active.consume('stripe-live-event', 'pi_2')).toBeUndefined();
  expect(active.consume('stripe-late-charge', 'pi_1')).toBeUndefined();
  expect(active.consume('stripe-live-event', 'x pi_1')).toBeDefined();
  expect(active.consume('stripe-live-event', 'x pi_1')).toBeUndefined();
});

test('draws only valid requests, and every behavior', () => {
  let seed = 1;
  const random = () => {
    seed = (seed * 16_807) % 2_147_483_647;
    return seed / 2_147_483_647;
  };
  const drawn = Array.from({ length: 1000 }, () => drawBehavior(random));
  for (const request of drawn) sandbox.behaviors.add(request);
  sandbox.behaviors.clear();
  expect(new Set(drawn.map(({ name }) => name))).toEqual(new Set(behaviorNames));
});

test('knows every issue that PayPal documents for a refused capture', () => {
  const file = new URL('./specs/paypal-checkout-orders-v2.json', import.meta.url);
  const { schemas } = JSON.parse(readFileSync(file, 'utf8')).components;
  const documented: { properties: { issue: { enum: string[] } } }[] =
    schemas['orders.capture-422'].properties.details.items.anyOf;
  const issues = documented.flatMap(({ properties }) => properties.issue.enum);
  expect([...captureIssues].sort()).toEqual([...new Set(issues)].sort());
});

test('documents every behavior in the README', () => {
  const readme = readFileSync(new URL('./README.md', import.meta.url), 'utf8');
  for (const [name, { effect }] of Object.entries(behaviors))
    expect(readme).toContain(`| \`${name}\` | ${effect} |`);
});

function post(request: object): Promise<Response> {
  const headers = { 'content-type': 'application/json' };
  return fetch(`${sandbox.url}/behaviors`, { method: 'POST', headers, body: JSON.stringify(request) });
}

async function get(path: string): Promise<unknown> {
  return (await fetch(`${sandbox.url}/behaviors${path}`)).json();
}

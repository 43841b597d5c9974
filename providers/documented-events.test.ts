import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readers as paypalReaders } from './paypal/events.ts';
import { readers as stripeReaders } from './stripe/events.ts';

const manual = readFileSync(new URL('../docs/operations.md', import.meta.url), 'utf8');

test.each([
  ['Stripe', '/api/webhooks/stripe`', stripeReaders],
  ['PayPal', '/api/webhooks/paypal`', paypalReaders],
])('the manual lists the events of %s that are handled, and no others', (_provider, address, readers) => {
  const item = manual.slice(manual.indexOf(address)).split(/\n- |\n\n/)[0] ?? '';
  const listed = [...item.matchAll(/`([a-zA-Z_-]+(?:\.[a-zA-Z_-]+)+)`/g)].map(([, name]) => name);
  expect(listed.sort()).toEqual(Object.keys(readers).sort());
});

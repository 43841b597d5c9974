import { expect, test } from 'vitest';
import { clientKey, clientNetwork } from './client-key.ts';

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8:9::1', '2001:db8:9:0::/64'],
  ['2001:0db8:0009:0000:ffff::2', '2001:db8:9:0::/64'],
  ['2001:db8:9:1::1', '2001:db8:9:1::/64'],
  ['<script>', 'invalid'],
  ['', 'invalid'],
  [undefined, 'invalid'],
])('%s is the client %s', (address, key) => {
  expect(clientKey(address)).toBe(key);
});

test.each([
  ['203.0.113.7', '203.0.113'],
  ['::ffff:203.0.113.200', '203.0.113'],
  ['2001:db8:9:1::1', '2001:db8:9::/48'],
  ['unknown', 'invalid'],
])('%s is of the network %s', (address, network) => {
  expect(clientNetwork(address)).toBe(network);
});

import { expect, test } from 'vitest';
import { operationOf } from './client.ts';

test.each([
  ['POST', '/v1/payment_intents', 'POST payment_intents'],
  ['GET', '/v1/payment_intents/pi_3Nx?expand[0]=latest_charge', 'GET payment_intents/:id'],
  ['POST', '/v1/payment_intents/pi_3Nx/cancel', 'POST payment_intents/:id/cancel'],
  ['GET', '/v1/payment_intents/search?query=metadata', 'GET payment_intents/search'],
  ['GET', '/v1/disputes?payment_intent=pi_1', 'GET disputes'],
])('%s %s is the operation %s', (method, path, operation) => {
  expect(operationOf(method, path)).toBe(operation);
});

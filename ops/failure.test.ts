import { expect, test } from 'vitest';
import { ProviderError } from '../providers/provider-error.ts';
import { describeFailure } from './failure.ts';
import { CommandError } from './terminal.ts';

test.each([
  [new CommandError('No order found'), 'No order found'],
  [
    new ProviderError('stripe', 'No such payment_intent', { statusCode: 404, cause: null }),
    'No such payment_intent',
  ],
  [Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }), 'connect ECONNREFUSED'],
  [new TypeError('x is not a function'), undefined],
])('%o shows an operator its message, and a bug its stack', (error, text) => {
  expect(describeFailure(error)).toBe(text);
});

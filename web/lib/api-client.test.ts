import { expect, test } from 'vitest';
import { apiError, codeOf, fieldsOf, messageOf } from './api-client.ts';

test('an error reads as its status, a colon, a space and the body', async () => {
  expect((await apiError(409, '{"message":"No"}')).message).toBe('409: {"message":"No"}');
  expect((await apiError(502, 'Bad Gateway')).message).toBe('502: Bad Gateway');
});

test('visitors see the server’s message if there is one, otherwise a text for the situation', async () => {
  const changed = await apiError(409, '{"message":"The price has changed","code":"price_changed"}');
  expect(messageOf(changed, 'Failed')).toBe('The price has changed');
  expect(messageOf(await apiError(502, '<html>'), 'Failed')).toBe('Failed');
  expect(messageOf(await apiError(500, '{"message":7}'), 'Failed')).toBe('Failed');
  expect(messageOf(new TypeError('fetch failed'), 'Failed')).toBe('Failed');
});

test('errors are distinguished by their code', async () => {
  expect(codeOf(await apiError(409, '{"message":"x","code":"order_paid"}'))).toBe('order_paid');
  expect(codeOf(await apiError(502, '<html>'))).toBeUndefined();
  expect(codeOf(new TypeError('fetch failed'))).toBeUndefined();
});

test('field errors come from the body', async () => {
  const body = '{"message":"x","code":"validation_failed","fields":{"email":"Please check"}}';
  expect(fieldsOf(await apiError(400, body))).toEqual({ email: 'Please check' });
  expect(fieldsOf(await apiError(400, '{"message":"x","code":"bad_request"}'))).toEqual({});
  expect(fieldsOf(new Error('x'))).toEqual({});
});

import { expect, test } from 'vitest';
import { ApiError, fieldsOf, messageOf } from './api-client.ts';

test('an unsuccessful answer reads as its status, a colon, a space and its body', () => {
  expect(new ApiError(409, '{"message":"No"}').message).toBe('409: {"message":"No"}');
  expect(new ApiError(502, 'Bad Gateway').message).toBe('502: Bad Gateway');
});

test('the visitor is told the server’s own words where it has some, else the text for the situation', () => {
  expect(messageOf(new ApiError(409, '{"message":"The price has changed"}'), 'Failed')).toBe(
    'The price has changed',
  );
  expect(messageOf(new ApiError(502, '<html>'), 'Failed')).toBe('Failed');
  expect(messageOf(new ApiError(500, '{"message":7}'), 'Failed')).toBe('Failed');
  expect(messageOf(new TypeError('fetch failed'), 'Failed')).toBe('Failed');
});

test('only named fields with a text count as field errors', () => {
  const error = new ApiError(400, '{"message":"x","fields":{"email":"Please check","name":3}}');
  expect(fieldsOf(error)).toEqual({ email: 'Please check' });
  expect(fieldsOf(new ApiError(400, '{"message":"x","fields":null}'))).toEqual({});
  expect(fieldsOf(new Error('x'))).toEqual({});
});

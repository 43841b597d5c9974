import { describe, expect, test } from 'vitest';
import { contradiction, type ObservedAnswer } from './api-contract.ts';

const answer: ObservedAnswer = {
  method: 'POST',
  url: '/api/contact',
  status: 200,
  contentType: 'application/json; charset=utf-8',
  body: JSON.stringify({ message: 'Thank you' }),
};

describe('an answer compared with the OpenAPI document', () => {
  test('passes when status and body are documented', () => {
    expect(contradiction(answer)).toBeUndefined();
    expect(contradiction({ ...answer, url: '/pricing', body: '<html>' })).toBeUndefined();
  });

  test.each([
    ['a status that the operation does not have', { status: 418 }, 'is not documented'],
    ['a missing field', { body: '{}' }, "must have required property 'message'"],
    ['an additional field', { body: '{"message":"a","secret":1}' }, 'additional properties'],
    ['another content type', { contentType: 'text/plain' }, 'undocumented content type'],
    ['a success of an unknown call', { url: '/api/unknown' }, 'is no documented operation'],
    ['a success of an unknown method', { method: 'PUT' }, 'is no documented operation'],
    ['an error without a message', { status: 400, body: '{"error":"a"}' }, 'does not match'],
    [
      'an order without its status',
      { method: 'GET', url: '/api/orders/1f0f2b8e-0000-4000-8000-000000000000', body: '{"id":"1"}' },
      "must have required property 'status'",
    ],
    [
      'an event without its status',
      {
        method: 'GET',
        url: '/api/orders/1f0f2b8e-0000-4000-8000-000000000000/events',
        contentType: 'text/event-stream',
        body: 'event: status\ndata: {"id":"1"}\n\n',
      },
      "must have required property 'status'",
    ],
  ])('fails on %s', (_what, difference, reason) => {
    expect(contradiction({ ...answer, ...difference })).toContain(reason);
  });
});

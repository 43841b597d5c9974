import { expect, test } from 'vitest';
import { type Draft, type Mutation, toMessage } from './drafts.ts';

const draft: Draft = {
  method: 'POST',
  path: '/api/contact',
  headers: { 'x-first': '1' },
  body: { name: 'Ada', message: 'Hello' },
  sign: (body) => ({ 'x-signed': body }),
};
const bodyOf = (mutation?: Mutation) => toMessage(draft, mutation).body?.toString();

test('sends a valid request unchanged, with its length and signature', () => {
  const body = '{"name":"Ada","message":"Hello"}';
  expect(bodyOf()).toBe(body);
  expect(toMessage(draft).headers).toEqual({
    'content-type': 'application/json',
    'x-first': '1',
    'x-signed': body,
    'content-length': '32',
  });
});

test.each<[Mutation, string]>([
  [{ kind: 'replace', field: 'name', value: '\ud800' }, '{"message":"Hello","name":"\\ud800"}'],
  [{ kind: 'replace', field: '__proto__', value: 1 }, '{"name":"Ada","message":"Hello","__proto__":1}'],
  [{ kind: 'remove', field: 'name' }, '{"message":"Hello"}'],
  [{ kind: 'double', field: 'name' }, '{"name":"Ada","name":"Ada","message":"Hello"}'],
  [{ kind: 'cut', at: 5 }, '{"nam'],
])('the mutation %j makes the body %s', (mutation, body) => {
  expect(bodyOf(mutation)).toBe(body);
});

test('signs a changed field, but not a forged byte', () => {
  const changed = toMessage(draft, { kind: 'remove', field: 'name' });
  expect(changed.headers['x-signed']).toBe(changed.body?.toString());
  const forged = toMessage(draft, { kind: 'forge', at: 3 });
  expect(forged.headers['x-signed']).not.toBe(forged.body?.toString());
});

test('limits paths, queries and headers to what an HTTP client can send', () => {
  expect(toMessage(draft, { kind: 'path', text: 'a b\u0000\ud800' }).path).toBe('/api/a%20b%00%EF%BF%BD');
  expect(toMessage(draft, { kind: 'query', text: 'é' }).path).toBe('/api/contact?%C3%A9=1');
  expect(toMessage(draft, { kind: 'header', name: 'x', value: 'a\r\nb👍' }).headers.x).toBe('a??b??');
});

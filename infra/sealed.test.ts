import { describe, expect, test } from 'vitest';
import { createSealed, type SealPurpose } from './sealed.ts';

const value = { state: 'Zürich', startedAt: 1 };

test('a sealed value opens, is unreadable, and is never the same twice', () => {
  const sealed = createSealed(['secret']);
  const [one, other] = [sealed.seal('pending-logins', value), sealed.seal('pending-logins', value)];
  expect(sealed.open('pending-logins', one)).toEqual(value);
  expect(Buffer.from(one, 'base64url').toString()).not.toContain('startedAt');
  expect(one).not.toBe(other);
});

test('while secrets are rotated both open, and the first one seals', () => {
  const [before, during, after] = [['old'], ['new', 'old'], ['new']].map(createSealed);
  const [early, late] = [before?.seal('pending-logins', value), during?.seal('pending-logins', value)];
  expect(during?.open('pending-logins', early ?? '')).toEqual(value);
  expect(after?.open('pending-logins', late ?? '')).toEqual(value);
  expect(after?.open('pending-logins', early ?? '')).toBeUndefined();
});

describe('a value does not open', () => {
  const sealed = createSealed(['secret']);
  const genuine = sealed.seal('pending-logins', value);
  const bytes = Buffer.from(genuine, 'base64url');

  test('with any of its bits changed', () => {
    for (let at = 0; at < bytes.length; at++) {
      const forged = Buffer.from(bytes);
      forged[at] = (forged[at] ?? 0) ^ 1;
      expect(sealed.open('pending-logins', forged.toString('base64url')), `byte ${at}`).toBeUndefined();
    }
  });

  test('cut short, empty, or for another purpose', () => {
    for (const length of [0, 11, 12, 27, 28, bytes.length - 1]) {
      const cut = bytes.subarray(0, length).toString('base64url');
      expect(sealed.open('pending-logins', cut)).toBeUndefined();
    }
    expect(sealed.open('another' as SealPurpose, genuine)).toBeUndefined();
  });
});

import { expect, test } from 'vitest';
import { createTokens } from './tokens.ts';

const secret = 'a secret of at least thirty-two characters';
const tokens = createTokens([secret]);

test('a token returns its subject, for its purpose only', () => {
  const token = tokens.sign('newsletter-confirm', 'subject-1', 1_000);
  expect(tokens.verify('newsletter-confirm', token)).toBe('subject-1');
  expect(tokens.verify('newsletter-unsubscribe', token)).toBeUndefined();
});

test('an expired token is rejected, one without expiry stays valid', () => {
  let now = 1_000;
  const clocked = createTokens([secret], () => now);
  const short = clocked.sign('newsletter-confirm', 's', 500);
  const lasting = clocked.sign('newsletter-unsubscribe', 's', null);
  now = 2_000;
  expect(clocked.verify('newsletter-confirm', short)).toBeUndefined();
  expect(clocked.verify('newsletter-unsubscribe', lasting)).toBe('s');
});

test('another subject, expiry or secret fails the signature', () => {
  const [subject, expiry, signature] = tokens.sign('newsletter-confirm', 'subject-1', 1_000).split('.');
  for (const forged of [
    `subject-2.${expiry}.${signature}`,
    `${subject}.${Number(expiry) + 1}.${signature}`,
    `${subject}.0.${signature}`,
    `${subject}.${expiry}`,
    `${subject}.${expiry}.${signature}.more`,
    '..',
    '',
  ]) {
    expect(tokens.verify('newsletter-confirm', forged)).toBeUndefined();
  }
  const foreign = createTokens(['another secret of thirty-two characters!']).sign(
    'newsletter-confirm',
    'subject-1',
    1_000,
  );
  expect(tokens.verify('newsletter-confirm', foreign)).toBeUndefined();
});

test('tokens signed with the old secret stay valid while it is rotated', () => {
  const old = createTokens(['the old secret']).sign('newsletter-confirm', 's', 1_000);
  expect(createTokens(['the new secret', 'the old secret']).verify('newsletter-confirm', old)).toBe('s');
});

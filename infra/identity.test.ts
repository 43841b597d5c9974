import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  type Claims,
  type ForgingProvider,
  type Signature,
  startForgingProvider,
} from '../testing/forging-provider.ts';
import {
  createIdentityProvider,
  type IdentityProvider,
  IdentityProviderUnavailable,
  LoginRejected,
} from './identity.ts';

let provider: ForgingProvider;
let identity: IdentityProvider;
beforeEach(async () => {
  provider = await startForgingProvider();
  identity = createIdentityProvider(provider.settings, 'http://shop.example');
});
afterEach(async () => {
  vi.useRealTimers();
  await provider.stop();
});

const soon = () => Math.floor(Date.now() / 1_000) + 600;
const longAgo = () => Math.floor(Date.now() / 1_000) - 600;

describe('an ID token is rejected', () => {
  test.each<[string, Claims, Signature?]>([
    ['signed by a stranger', {}, 'foreign'],
    ['changed after it was signed', {}, 'broken'],
    ['not signed', {}, 'none'],
    ['signed with the client’s secret', {}, 'HS256'],
    ['of another issuer', { iss: 'https://evil.example' }],
    ['for another client', { aud: 'another' }],
    ['for another client too, without saying who asked', { aud: ['querywright', 'another'] }],
    ['asked for by another client', { aud: ['querywright', 'another'], azp: 'another' }],
    ['with another nonce', { nonce: 'x'.repeat(43) }],
    ['without a nonce', { nonce: undefined }],
    ['that has expired', { iat: longAgo(), exp: longAgo() + 60 }],
    ['that never expires', { exp: undefined }],
    ['that is not valid yet', { nbf: soon() }],
    ['without a subject', { sub: undefined }],
    ['with an empty subject', { sub: '' }],
  ])('%s', async (_what, claims, signature) => {
    await expect(signIn(claims, signature)).rejects.toThrow(LoginRejected);
  });
});

test('a valid one is accepted within 30 s of clock skew', async () => {
  const { identity: person } = await signIn({ nbf: Math.floor(Date.now() / 1_000) + 20 });
  expect(person).toMatchObject({ issuer: provider.settings.issuer, subject: 'ada' });
});

test('claims missing from the ID token are fetched, for the same subject only', async () => {
  const { identity: person } = await signIn({});
  expect(person).toMatchObject({ email: 'ada@example.com', emailVerified: true });
  await expect(signIn({ sub: 'eve' })).rejects.toThrow(LoginRejected);
});

test('an address counts as verified only if the provider says so', async () => {
  for (const [email_verified, emailVerified] of [
    [true, true],
    ['true', true],
    [false, false],
    ['yes', false],
    [undefined, false],
  ]) {
    const { identity: person } = await signIn({ email: 'ada@example.com', email_verified });
    expect(person.emailVerified, String(email_verified)).toBe(emailVerified);
  }
});

test('an answer must name its issuer if the provider’s metadata says so', async () => {
  provider.announce({ authorization_response_iss_parameter_supported: true });
  await expect(signIn({})).rejects.toThrow(LoginRejected);
});

test('metadata with an issuer other than the configured one is refused', async () => {
  provider.announce({ issuer: 'https://evil.example' });
  await expect(identity.beginLogin()).rejects.toThrow(IdentityProviderUnavailable);
});

test('concurrent sign-ins fetch the provider’s metadata once', async () => {
  await Promise.all(Array.from({ length: 5 }, () => identity.beginLogin()));
  await identity.beginLogin();
  expect(provider.asked.get('/.well-known/openid-configuration')).toBe(1);
});

test('rotated signing keys are fetched', async () => {
  await signIn({});
  provider.rotateKeys();
  // Not on every unknown key: clients could trigger fetches at will.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61_000 });
  expect((await signIn({})).identity.subject).toBe('ada');
});

describe('while the provider is away', () => {
  test('sign-in fails, and works again once it is back', async () => {
    await provider.stop();
    await expect(identity.beginLogin()).rejects.toThrow(IdentityProviderUnavailable);
    await provider.start();
    expect((await identity.beginLogin()).url.origin).toBe(provider.settings.issuer);
  });

  test('cached metadata is still used, even if it is due for a refresh', async () => {
    await identity.beginLogin();
    await provider.stop();
    expect((await identity.beginLogin()).url.origin).toBe(provider.settings.issuer);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2 * 3_600_000 });
    expect((await identity.beginLogin()).url.origin).toBe(provider.settings.issuer);
  });

  test.each<[string, string, (response: ServerResponse) => void]>([
    ['answers 500', '/token', (response) => response.writeHead(500).end('out of order')],
    ['drops the connection', '/token', (response) => response.destroy()],
    ['does not give its keys', '/jwks', (response) => response.writeHead(503).end()],
    ['is silent', '/token', () => {}],
  ])('an answer cannot be judged when it %s', { timeout: 10_000 }, async (_what, path, answer) => {
    provider.interrupt(path, answer);
    await expect(signIn({})).rejects.toThrow(IdentityProviderUnavailable);
  });

  test('signing out ends only our session', async () => {
    await provider.stop();
    expect(await identity.logoutUrl('token')).toBeUndefined();
  });
});

/** Completes a sign-in with these claims from the provider. */
async function signIn(claims: Claims, signature?: Signature) {
  const { url, pending } = await identity.beginLogin();
  expect(url.searchParams.get('code_challenge_method')).toBe('S256');
  provider.forge({ nonce: pending.nonce, ...claims }, signature);
  const callback = new URL(`http://shop.example/api/callback?code=code&state=${pending.state}`);
  return identity.completeLogin(callback, pending);
}

import { generateKeyPairSync, type KeyObject, X509Certificate } from 'node:crypto';
import { type CertificateContents, issueCertificate } from '@querywright/sandbox/paypal/x509';
import { expect, test } from 'vitest';
import { isTrusted, readChain } from './certificate-chain.ts';

const signer = 'messageverificationcerts.paypal.com';
const keys = new Map<string, KeyObject>();
const emailProtection = '2b06010505070304';
const serverAuthentication = '2b06010505070301';

const root = issue('Root', 'Root', { authority: true });
const issuing = issue('Issuing', 'Root', { authority: true });
const leaf = issue('Leaf', 'Issuing', { host: signer });

test('a chain up to a trusted root is trusted, with the root or without', () => {
  expect(trusts(leaf, issuing)).toBe(true);
  expect(trusts(leaf, issuing, root)).toBe(true);
  expect(trusts(issue('Leaf', 'Issuing', { host: signer, purpose: serverAuthentication }), issuing)).toBe(
    true,
  );
});

test.each([
  ['another host', [issue('Leaf', 'Issuing', { host: 'evil.example' }), issuing]],
  ['a missing issuer', [leaf]],
  [
    'an issuer that is no authority',
    [issue('Leaf', 'Host', { host: signer }), issue('Host', 'Root', { host: 'x' })],
  ],
  ['a root of the same name', [leaf, issue('Issuing', 'Root', { authority: true }, 'Forged root')]],
  ['the wrong order', [issuing, leaf]],
  [
    'a certificate for e-mail',
    [issue('Leaf', 'Issuing', { host: signer, purpose: emailProtection }), issuing],
  ],
])('%s is not trusted', (_what, chain) => {
  expect(trusts(...chain)).toBe(false);
});

test('an authority’s path length limits the chain', () => {
  const narrow = issue('Narrow', 'Root', { authority: true, pathLength: 0 });
  const below = issue('Below', 'Narrow', { authority: true });
  expect(trusts(issue('Leaf', 'Narrow', { host: signer }), narrow)).toBe(true);
  expect(trusts(issue('Leaf', 'Below', { host: signer }), below, narrow)).toBe(false);

  const wide = issue('Wide', 'Root', { authority: true, pathLength: 1 });
  const belowWide = issue('Below wide', 'Wide', { authority: true });
  expect(trusts(issue('Leaf', 'Below wide', { host: signer }), belowWide, wide)).toBe(true);
});

test('text that is not a certificate is not a chain', () => {
  expect(readChain('nonsense')).toEqual([]);
  expect(readChain('-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----')).toEqual([]);
});

function trusts(...chain: string[]): boolean {
  return isTrusted(readChain(chain.join('')), signer, [new X509Certificate(root)]);
}

function issue(
  subject: string,
  issuer: string,
  role: CertificateContents['role'],
  issuerKey = issuer,
): string {
  return issueCertificate({ subject, issuer, role, subjectKey: keyOf(subject), issuerKey: keyOf(issuerKey) });
}

function keyOf(name: string): KeyObject {
  const key = keys.get(name) ?? generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
  keys.set(name, key);
  return key;
}

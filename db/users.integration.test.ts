import { expect, test } from 'vitest';
import type { Identity } from '../core/identity.ts';
import { withDatabase } from '../testing/with-database.ts';
import { recordSignIn } from './users.ts';

const db = await withDatabase();

test('a verified address displaces an unverified claim to it, which stays without one', async () => {
  const squatter = await signIn({ subject: 'squatter', email: 'owner@example.com', emailVerified: false });
  const owner = await signIn({ subject: 'owner', email: 'Owner@example.com', emailVerified: true });
  expect(owner).not.toBe(squatter);
  expect(await addressOf(owner)).toEqual({ email: 'Owner@example.com', email_verified: true });
  expect(await addressOf(squatter)).toEqual({ email: null, email_verified: false });

  expect(
    await signIn({ subject: 'squatter', email: 'owner@example.com', emailVerified: false }),
    'the same user at the next sign-in',
  ).toBe(squatter);
  expect(await addressOf(squatter)).toEqual({ email: null, email_verified: false });
  expect((await addressOf(owner))?.email).toBe('Owner@example.com');
});

test('an unverified address displaces no one', async () => {
  const first = await signIn({ subject: 'first', email: 'shared@example.com', emailVerified: false });
  const second = await signIn({ subject: 'second', email: 'SHARED@example.com', emailVerified: false });
  expect((await addressOf(first))?.email).toBe('shared@example.com');
  expect((await addressOf(second))?.email).toBeNull();
});

test('the same address at another provider is another person, and the first keeps it', async () => {
  const person = { subject: 'same', email: 'twice@example.com', emailVerified: true };
  const here = await signIn({ ...person, issuer: 'https://one.example' });
  const there = await signIn({ ...person, issuer: 'https://two.example' });
  expect(there).not.toBe(here);
  expect((await addressOf(here))?.email).toBe('twice@example.com');
  expect((await addressOf(there))?.email).toBeNull();
});

test('missing claims keep their former values; present ones replace them', async () => {
  const id = await signIn({
    subject: 'moving',
    email: 'old@example.com',
    emailVerified: true,
    firstName: 'Ada',
  });
  await signIn({ subject: 'moving', email: null, firstName: null, lastName: 'Lovett' });
  expect(await db('users').where({ id }).first()).toMatchObject({
    email: 'old@example.com',
    email_verified: true,
    first_name: 'Ada',
    last_name: 'Lovett',
  });
  await signIn({ subject: 'moving', email: 'new@example.com', emailVerified: false });
  expect(await addressOf(id)).toEqual({ email: 'new@example.com', email_verified: false });
});

test('concurrent first sign-ins with one address create one user each, of whom one holds the address', async () => {
  const ids = await Promise.all(
    Array.from({ length: 8 }, (_, i) =>
      signIn({ subject: `crowd ${i % 4}`, email: 'crowd@example.com', emailVerified: true }),
    ),
  );
  expect(new Set(ids).size).toBe(4);
  expect(await db('users').where({ email: 'crowd@example.com' })).toHaveLength(1);
});

function signIn(identity: Partial<Identity>): Promise<string> {
  const person: Identity = {
    issuer: 'https://login.example',
    subject: 'somebody',
    email: null,
    emailVerified: false,
    firstName: null,
    lastName: null,
    profileImageUrl: null,
    ...identity,
  };
  return db.transaction((trx) => recordSignIn(trx, person));
}

async function addressOf(id: string) {
  return db('users')
    .where({ id })
    .first<{ email: string | null; email_verified: boolean }>('email', 'email_verified');
}

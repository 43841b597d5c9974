import { describe, expect, test } from 'vitest';
import { credentialsOf, deskSessionEnd, staffRoleOf } from './staff.ts';

const staff = {
  viewers: ['vera@firm.example', 'groups=support'],
  operators: ['olive@firm.example', 'groups=operators', 'admin=true'],
};
const withoutEmail = { email: null, emailVerified: false };

describe('a role', () => {
  test.each([
    ['a verified address', { email: 'Vera@Firm.example', emailVerified: true }, {}, 'viewer'],
    ['an operator’s address', { email: 'olive@firm.example', emailVerified: true }, {}, 'operator'],
    ['an address that is not verified', { email: 'olive@firm.example', emailVerified: false }, {}, undefined],
    ['one of several groups', withoutEmail, { groups: ['staff', 'support'] }, 'viewer'],
    ['the higher of two roles', withoutEmail, { groups: ['support', 'operators'] }, 'operator'],
    ['a claim that is no text', withoutEmail, { admin: true }, 'operator'],
    ['a group whose name begins alike', withoutEmail, { groups: ['operators2'] }, undefined],
    ['another claim of this value', withoutEmail, { roles: ['operators'] }, undefined],
    ['a claim that is an object', withoutEmail, { groups: { operators: true } }, undefined],
    ['an address in a claim that proves none', withoutEmail, { groups: ['olive@firm.example'] }, undefined],
  ])('by %s', (_what, person, claims, role) => {
    expect(staffRoleOf(staff, credentialsOf(staff, person, claims))).toBe(role);
  });

  test('gives no one a role while the settings are empty', () => {
    const none = { viewers: [], operators: [] };
    const olive = { email: 'olive@firm.example', emailVerified: true };
    expect(staffRoleOf(none, credentialsOf(none, olive, { groups: ['operators'] }))).toBeUndefined();
  });
});

test('a session at the desk ends after 20 minutes of silence, and 8 hours after the sign-in', () => {
  const minute = 60_000;
  expect(deskSessionEnd({ signedInAt: 0, seenAt: 0 })).toBe(20 * minute);
  expect(deskSessionEnd({ signedInAt: 0, seenAt: 460 * minute })).toBe(480 * minute);
  expect(deskSessionEnd({ signedInAt: 0, seenAt: 479 * minute })).toBe(480 * minute);
});

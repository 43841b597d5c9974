import { z } from 'zod';

/** A viewer reads the desk; an operator acts as well. */
const staffRoles = ['viewer', 'operator'] as const;
export type StaffRole = (typeof staffRoles)[number];

/** Staff by role: verified e-mail addresses in lower case, or a claim and its value as `groups=desk-operators`. */
export interface StaffSettings {
  viewers: readonly string[];
  operators: readonly string[];
}

/** A desk session ends after 20 minutes of silence, and 8 hours after the sign-in, however busy it is. */
const DESK_IDLE_MS = 20 * 60_000;
const DESK_ABSOLUTE_MS = 8 * 3_600_000;
/** For how long after signing in again a person may do what cannot be undone. */
export const FRESH_MS = 10 * 60_000;

export interface Staff {
  userId: string;
  name: string;
  role: StaffRole;
  /** Until when they may do what needs a fresh sign-in, ms since the epoch. */
  freshUntil: number;
}

export function hasDesk({ viewers, operators }: StaffSettings): boolean {
  return viewers.length + operators.length > 0;
}

export function staffRoleOf(staff: StaffSettings, credentials: readonly string[]): StaffRole | undefined {
  if (staff.operators.some((entry) => credentials.includes(entry))) return 'operator';
  return staff.viewers.some((entry) => credentials.includes(entry)) ? 'viewer' : undefined;
}

/** What of an ID token's claims the settings may name. An unverified address is ignored. */
export function credentialsOf(
  staff: StaffSettings,
  person: { email: string | null; emailVerified: boolean },
  claims: Readonly<Record<string, unknown>>,
): string[] {
  const address = person.emailVerified && person.email ? [person.email.toLowerCase()] : [];
  return [...address, ...namedClaims(staff).flatMap((name) => valuesOf(name, claims[name]))];
}

export function namedClaims({ viewers, operators }: StaffSettings): string[] {
  const names = [...viewers, ...operators].filter((entry) => entry.includes('='));
  return [...new Set(names.map((entry) => entry.slice(0, entry.indexOf('='))))];
}

function valuesOf(name: string, claim: unknown): string[] {
  const values = Array.isArray(claim) ? claim : [claim];
  return values
    .filter((value) => ['string', 'number', 'boolean'].includes(typeof value))
    .map((value) => `${name}=${value}`);
}

/** When a desk session ends, unless the person does something before. Times in ms since the epoch. */
export function deskSessionEnd({ signedInAt, seenAt }: { signedInAt: number; seenAt: number }): number {
  return Math.min(signedInAt + DESK_ABSOLUTE_MS, seenAt + DESK_IDLE_MS);
}

export const staffView = z.object({
  name: z.string(),
  role: z.enum(staffRoles),
  /** Until when dangerous actions need no new sign-in; null: they do. */
  freshUntil: z.iso.datetime().nullable(),
  sandbox: z.boolean(),
});
export type StaffView = z.infer<typeof staffView>;

import { z } from 'zod';
import { emailAddress, line } from './text.ts';

const pictureAddress = z.url({ protocol: /^https?$/ }).max(2_000);
const nameOrNothing = line('Name', 100).nullish().catch(null);

/**
 * Claims about a person (OpenID Connect Core §5.1). Only the subject is required; an unusable name, address or picture
 * counts as missing, so that it never locks anyone out.
 */
const identityClaims = z.object({
  sub: z.string().min(1).max(255),
  email: emailAddress.nullish().catch(null),
  // Some providers send a string.
  email_verified: z
    .union([z.boolean(), z.literal('true').transform(() => true)])
    .nullish()
    .catch(false),
  given_name: nameOrNothing,
  family_name: nameOrNothing,
  picture: pictureAddress.nullish().catch(null),
});

/** A person, identified by issuer and subject, never by e-mail. Null is what the provider left out. */
export interface Identity {
  issuer: string;
  subject: string;
  email: string | null;
  emailVerified: boolean;
  firstName: string | null;
  lastName: string | null;
  profileImageUrl: string | null;
}

/** @throws ZodError if there is no usable subject */
export function toIdentity(issuer: string, claims: unknown): Identity {
  const known = identityClaims.parse(claims);
  return {
    issuer,
    subject: known.sub,
    email: known.email ?? null,
    emailVerified: known.email_verified ?? false,
    firstName: known.given_name ?? null,
    lastName: known.family_name ?? null,
    profileImageUrl: known.picture ?? null,
  };
}

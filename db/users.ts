import type { CurrentUser } from '../core/account.ts';
import type { Identity } from '../core/identity.ts';
import { isUuid } from '../core/text.ts';
import type { Database, Transaction } from './database.ts';

/**
 * Creates the user of this identity at the first sign-in and updates it at later ones; values that the provider leaves out
 * stay as they were. Returns the user's id.
 *
 * An e-mail address belongs to one user at most. A verified address displaces an unverified claim to it, but never another
 * verified one. A user who does not get the address is stored without one.
 */
export async function recordSignIn(trx: Transaction, identity: Identity): Promise<string> {
  const { issuer, subject, firstName, lastName, profileImageUrl } = identity;
  const email = await claimAddress(trx, identity);
  const hasEmail = identity.email !== null;
  const { rows } = await trx.raw<{ rows: { id: string }[] }>(
    `insert into users (issuer, subject, email, email_verified, first_name, last_name, profile_image_url)
     values (:issuer, :subject, :email, :verified, :firstName, :lastName, :profileImageUrl)
     on conflict (issuer, subject) do update set
       email = case when :hasEmail then excluded.email else users.email end,
       email_verified = case when :hasEmail then excluded.email_verified else users.email_verified end,
       first_name = coalesce(excluded.first_name, users.first_name),
       last_name = coalesce(excluded.last_name, users.last_name),
       profile_image_url = coalesce(excluded.profile_image_url, users.profile_image_url),
       updated_at = now()
     returning id`,
    {
      issuer,
      subject,
      email,
      verified: email !== null && identity.emailVerified,
      hasEmail,
      firstName,
      lastName,
      profileImageUrl,
    },
  );
  if (!rows[0]) throw new Error('The user was not stored');
  return rows[0].id;
}

/** The address if this identity may have it, else null. Two sign-ins with the same address wait for each other. */
async function claimAddress(trx: Transaction, identity: Identity): Promise<string | null> {
  const { issuer, subject, email, emailVerified } = identity;
  if (email === null) return null;
  await trx.raw(`select pg_advisory_xact_lock(hashtextextended('user e-mail ' || lower(?), 0))`, [email]);
  const holder = await trx('users')
    .select('id', 'email_verified')
    .whereRaw('lower(email) = lower(?)', [email])
    .whereRaw('(issuer, subject) <> (?, ?)', [issuer, subject])
    .first<{ id: string; email_verified: boolean } | undefined>();
  if (!holder) return email;
  if (holder.email_verified || !emailVerified) return null;
  await trx('users').where({ id: holder.id }).update({ email: null, updated_at: trx.fn.now() });
  return email;
}

export async function findCurrentUser(db: Database, id: string): Promise<CurrentUser | undefined> {
  return db('users')
    .select({
      email: 'email',
      firstName: 'first_name',
      profileImageUrl: 'profile_image_url',
      enrollmentStatus: 'enrollment_status',
    })
    .where({ id })
    .first();
}

/** The user with this id or this e-mail address. */
export async function findUser(
  db: Database,
  idOrEmail: string,
): Promise<{ id: string; email: string | null } | undefined> {
  const users = db('users').select('id', 'email').first();
  if (isUuid(idOrEmail)) return users.where({ id: idOrEmail });
  return users.whereRaw('lower(email) = lower(?)', [idOrEmail]);
}

import { createHash } from 'node:crypto';

/** One mailbox for limits, across its spellings; hashed, since limits are no place for addresses. */
export function mailboxKey(email: string): string {
  return createHash('sha256').update(mailboxOf(email)).digest('base64url');
}

/** Maps all spellings of a mailbox to one: removes tags, and for Google also dots. */
function mailboxOf(email: string): string {
  const [local = '', domain = ''] = email.toLowerCase().split('@');
  const [name = ''] = local.split('+');
  const isGoogle = domain === 'gmail.com' || domain === 'googlemail.com';
  return isGoogle ? `${name.replaceAll('.', '')}@gmail.com` : `${name}@${domain}`;
}

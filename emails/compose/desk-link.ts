import { deskEntryFor, deskPages } from '../../core/desk-paths.ts';
import { type EmailKind, emailKinds } from '../../core/emails.ts';
import { hasDesk } from '../../core/staff.ts';
import type { Email } from '../../db/emails.ts';
import type { Config } from '../../infra/config.ts';

const people: readonly EmailKind[] = ['contact_notice', 'enrollment_notice'];

/** The page of the desk that an e-mail to staff is about; null in e-mails to others, and without a desk. */
export function deskLink(
  { publicUrl, staff }: Pick<Config, 'publicUrl' | 'staff'>,
  { kind, orderId }: Pick<Email, 'kind' | 'orderId'>,
): string | null {
  if (!hasDesk(staff) || emailKinds[kind].to !== 'staff') return null;
  const about = orderId ? deskPages.order(orderId) : deskPages.today;
  return publicUrl + deskEntryFor(people.includes(kind) ? deskPages.people : about);
}

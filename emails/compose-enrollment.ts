import type { Email } from '../db/emails.ts';
import { findEnrolledUser } from '../db/enrollment.ts';
import type { WorkerParts } from '../worker/parts.ts';
import type { Mail } from './compose-email.ts';
import { renderEmail } from './index.ts';

/** To staff, who promised to reach out within 24 hours; pointless once the user is gone. */
export async function composeEnrollmentNotice(parts: WorkerParts, email: Email): Promise<Mail | undefined> {
  const [userId = ''] = email.subjectId.split(':');
  const user = await findEnrolledUser(parts.db, userId);
  if (!user) return undefined;
  const { id, ...told } = user;
  const content = await renderEmail('enrollment_notice', {
    ...told,
    siteUrl: parts.config.publicUrl,
    userId: id,
    complianceNeeds: told.complianceNeeds ?? null,
    completedAt: email.createdAt.toISOString(),
  });
  return { to: parts.config.mail.staff, ...(user.email ? { replyTo: user.email } : {}), ...content };
}

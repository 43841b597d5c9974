import { findEnrolledUser } from '../../db/enrollment.ts';
import type { Composer } from './composer.ts';

/** Dropped once the user is gone. */
export const composeEnrollmentNotice: Composer<'enrollment_notice'> = async ({ db }, email) => {
  const user = await findEnrolledUser(db, email.params.userId);
  if (!user) return undefined;
  const { id: userId, ...details } = user;
  const complianceNeeds = details.complianceNeeds ?? null;
  const props = { ...details, userId, complianceNeeds, completedAt: email.createdAt.toISOString() };
  return { props, ...(user.email ? { replyTo: user.email } : {}) };
};

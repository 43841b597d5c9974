import type { EnrollmentForm, EnrollmentView } from '../core/enrollment.ts';
import type { Database, Transaction } from './database.ts';
import { queueEmails } from './emails.ts';

const columns = {
  companyName: 'company_name',
  role: 'role',
  phone: 'phone',
  primaryUseCase: 'primary_use_case',
  teamSize: 'team_size',
  complianceNeeds: 'compliance_needs',
} as const;

export async function findEnrollment(db: Database, userId: string): Promise<EnrollmentView | undefined> {
  return db('users').select(columns).where({ id: userId }).first();
}

/** Saves the answers and notifies staff; keeps the time of the first completion. False for an unknown user. */
export async function completeEnrollment(
  trx: Transaction,
  userId: string,
  form: EnrollmentForm,
): Promise<boolean> {
  const [user] = await trx('users')
    .where({ id: userId })
    .update({
      company_name: form.companyName,
      role: form.role,
      phone: form.phone,
      primary_use_case: form.primaryUseCase,
      team_size: form.teamSize,
      compliance_needs: form.complianceNeeds || null,
      enrollment_status: 'completed',
      enrollment_completed_at: trx.raw('coalesce(enrollment_completed_at, now())'),
      updated_at: trx.fn.now(),
    })
    .returning<{ updated_at: Date }[]>('updated_at');
  if (!user) return false;
  const dedupeKey = `${userId}:${user.updated_at.getTime()}`;
  await queueEmails(trx, [{ kind: 'enrollment_notice', dedupeKey, params: { userId } }]);
  return true;
}

interface EnrolledUser extends EnrollmentForm {
  id: string;
  email: string | null;
  personName: string | null;
}

export async function findEnrolledUser(db: Database, userId: string): Promise<EnrolledUser | undefined> {
  return db('users')
    .select(columns)
    .select('id', 'email', {
      personName: db.raw(`nullif(concat_ws(' ', first_name, last_name), '')`),
    })
    .where({ id: userId, enrollment_status: 'completed' })
    .first();
}

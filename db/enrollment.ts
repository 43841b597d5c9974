import type { EnrollmentForm, EnrollmentView } from '../core/enrollment.ts';
import type { Database, Transaction } from './database.ts';

const columns = {
  companyName: 'company_name',
  role: 'role',
  phone: 'phone',
  primaryUseCase: 'primary_use_case',
  teamSize: 'team_size',
  complianceNeeds: 'compliance_needs',
} as const;

/** What the user has told of the business so far, null where nothing; undefined if there is no such user. */
export async function findEnrollment(db: Database, userId: string): Promise<EnrollmentView | undefined> {
  return db('users').select(columns).where({ id: userId }).first();
}

/**
 * Saves the business information; a later submission replaces it and keeps the time of the first completion. Returns
 * the time of this submission, or undefined if there is no such user.
 */
export async function completeEnrollment(
  trx: Transaction,
  userId: string,
  form: EnrollmentForm,
): Promise<Date | undefined> {
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
  return user?.updated_at;
}

export interface EnrolledUser extends EnrollmentForm {
  id: string;
  email: string | null;
  personName: string | null;
}

/** Who enrolled and with what, for the notice to staff; undefined if the user is gone or has not enrolled. */
export async function findEnrolledUser(db: Database, userId: string): Promise<EnrolledUser | undefined> {
  return db('users')
    .select(columns)
    .select('id', 'email', {
      personName: db.raw(`nullif(concat_ws(' ', first_name, last_name), '')`),
    })
    .where({ id: userId, enrollment_status: 'completed' })
    .first();
}

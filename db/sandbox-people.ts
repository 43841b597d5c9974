import type { Database } from './database.ts';

/** Enrolls the sandbox's person-completed in local runs, ahead of her first sign-in. */
export async function seedSandboxPeople(db: Database, issuer: string): Promise<void> {
  await db('users')
    .insert({
      issuer,
      subject: 'person-completed',
      company_name: 'Hooper Logistics',
      role: 'Head of Engineering',
      phone: '+1 415 555 0142',
      primary_use_case: 'Orders and tracking for 40 warehouses on one PostgreSQL primary.',
      team_size: '51-200',
      compliance_needs: 'SOC 2',
      enrollment_status: 'completed',
      enrollment_completed_at: db.fn.now(),
    })
    .onConflict(['issuer', 'subject'])
    .ignore();
}

import { useInfiniteQuery } from '@tanstack/react-query';
import type { EnrollmentPage } from '../../../core/desk-people.ts';
import { mailto } from '../../lib/mailto.ts';
import { ListState, Moment, More } from './parts.tsx';
import { enrollmentsQuery } from './people-queries.ts';

export function Enrollments() {
  const list = useInfiniteQuery(enrollmentsQuery);
  const enrollments = list.data?.pages.flatMap((page) => page.enrollments) ?? [];
  return (
    <>
      <ListState list={list} />
      {list.data && enrollments.length === 0 && <p className="mt-2 text-muted">No enrollments yet.</p>}
      <ul className="mt-3 divide-y divide-line">
        {enrollments.map((enrollment) => (
          <li key={enrollment.id} className="py-3 text-sm first:pt-1">
            <Enrollment enrollment={enrollment} />
          </li>
        ))}
      </ul>
      <More list={list} />
    </>
  );
}

function Enrollment({ enrollment }: { enrollment: EnrollmentPage['enrollments'][number] }) {
  const { companyName, teamSize, name, role, phone, email, primaryUseCase, complianceNeeds } = enrollment;
  return (
    <details>
      <summary className="wrap-anywhere" data-row>
        <span className="font-medium">{companyName ?? 'Unnamed company'}</span>,{' '}
        {name ?? email ?? 'no name given'}
      </summary>
      <p className="mt-2 text-muted">
        {[role, teamSize && `${teamSize} employees`, phone].filter(Boolean).join(', ')}
      </p>
      {email && (
        <a href={mailto(email)} className="link wrap-anywhere">
          {email}
        </a>
      )}
      {primaryUseCase && <p className="mt-2 wrap-anywhere whitespace-pre-line">{primaryUseCase}</p>}
      {complianceNeeds && <p className="mt-2 wrap-anywhere">Compliance: {complianceNeeds}</p>}
      <p className="mt-2 text-muted">
        Completed <Moment at={enrollment.completedAt} />
      </p>
    </details>
  );
}

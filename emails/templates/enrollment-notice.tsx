import { Layout } from '../parts/layout.tsx';
import { DeskButton, STAFF_REASON } from '../parts/staff.tsx';
import { Facts } from '../parts/tables.tsx';
import { Heading, Paragraph, Quote } from '../parts/text.tsx';
import { moment } from '../parts/words.ts';
import type { EnrollmentNoticeProps } from '../props/visitor.ts';
import type { Template } from '../template.ts';

export const enrollmentNotice: Template<EnrollmentNoticeProps> = {
  subject: (p) => `Enrollment completed: ${p.companyName}, ${p.teamSize} employees`,
  Mail: (p) => (
    <Layout
      siteUrl={p.siteUrl}
      preview={`${p.personName ?? p.email ?? 'A client'}, ${p.role}. Review it and reach out within 24 hours.`}
      eyebrow="Enrollment"
      tone="accent"
      title={`${p.companyName} completed enrollment`}
      reason={STAFF_REASON}
    >
      <Paragraph>We promised to review this information and reach out within 24 hours.</Paragraph>
      <Facts
        facts={[
          { label: 'Company', value: p.companyName },
          { label: 'Person', value: p.personName ?? 'not given' },
          { label: 'Role', value: p.role },
          { label: 'E-mail', value: p.email ?? 'not given' },
          { label: 'Phone', value: p.phone },
          { label: 'Team size', value: `${p.teamSize} employees` },
          { label: 'Completed', value: moment(p.completedAt) },
          { label: 'User', value: p.userId, code: true },
        ]}
      />
      <Heading>Primary use case</Heading>
      <Quote text={p.primaryUseCase} />
      <Heading>Compliance needs</Heading>
      {p.complianceNeeds ? <Quote text={p.complianceNeeds} /> : <Paragraph>None given.</Paragraph>}
      <DeskButton deskUrl={p.deskUrl} label="Open the enrollments at the desk" />
    </Layout>
  ),
};

import { Layout } from '../parts/layout.tsx';
import { Button } from '../parts/links.tsx';
import { STAFF_REASON } from '../parts/staff.tsx';
import { Facts } from '../parts/tables.tsx';
import { Command, Heading, Note, Paragraph } from '../parts/text.tsx';
import { moment } from '../parts/words.ts';
import type { JobDeadAlertProps } from '../props/staff.ts';
import type { Template } from '../template.ts';

export const jobDeadAlert: Template<JobDeadAlertProps> = {
  subject: (p) => `Needs an operator: ${p.job} failed permanently`,
  Mail: (p) => (
    <Layout
      siteUrl={p.siteUrl}
      preview="It is kept, and runs again on command once the cause is fixed."
      eyebrow="Dead letter"
      tone="error"
      title="A job failed permanently"
      reason={STAFF_REASON}
    >
      <Paragraph>
        The worker has stopped retrying this job. Nothing is lost: the job is kept until an operator retries
        it. Other jobs are not affected.
      </Paragraph>
      <Facts
        facts={[
          { label: 'Job', value: `${p.job} ${p.jobId}`, code: true },
          ...(p.event ? [{ label: 'Payment event', value: p.event, code: true }] : []),
          { label: 'Order', value: p.orderId ?? 'not known', code: p.orderId !== null },
          { label: 'Last error', value: p.lastError, code: true },
          { label: 'Failed', value: moment(p.occurredAt) },
        ]}
      />
      <Heading>What to do</Heading>
      {p.deskUrl ? atDesk(p.deskUrl) : byCommand(p)}
    </Layout>
  ),
};

function atDesk(deskUrl: string) {
  return [
    <Paragraph key="what">Fix the cause. Then run the job again, or discard it with a reason.</Paragraph>,
    <Button key="desk" href={deskUrl} label="Open the job at the desk" />,
  ];
}

function byCommand({ opsCommand, orderId, jobId }: JobDeadAlertProps) {
  const look = orderId ? `order show ${orderId}` : 'jobs failed';
  return [
    <Note key="look">{orderId ? 'Look at the order:' : 'Look at all failed jobs:'}</Note>,
    <Command key="show" line={`${opsCommand} ${look}`} />,
    <Note key="then">Once the cause is fixed:</Note>,
    <Command key="retry" line={`${opsCommand} jobs retry ${jobId}`} />,
  ];
}

import { oneLine } from '../parts/clean.ts';
import { Layout } from '../parts/layout.tsx';
import { DeskButton, STAFF_REASON } from '../parts/staff.tsx';
import { Facts } from '../parts/tables.tsx';
import { Note, Paragraph, Quote } from '../parts/text.tsx';
import { moment } from '../parts/words.ts';
import type { ContactNoticeProps } from '../props/visitor.ts';
import type { Template } from '../template.ts';

export const contactNotice: Template<ContactNoticeProps> = {
  subject: (p) => `Message from ${p.name} through the contact form`,
  Mail: (p) => (
    <Layout
      siteUrl={p.siteUrl}
      preview={oneLine(p.message).slice(0, 140)}
      eyebrow="Contact form"
      tone="accent"
      title={`Message from ${p.name}`}
      reason={STAFF_REASON}
    >
      <Quote text={p.message} />
      <Paragraph>Reply to this e-mail to answer. We promised to answer within 24 hours.</Paragraph>
      <Facts
        facts={[
          { label: 'From', value: p.name },
          { label: 'E-mail', value: p.email },
          { label: 'Received', value: moment(p.receivedAt) },
          { label: 'Message', value: p.messageId, code: true },
        ]}
      />
      <DeskButton deskUrl={p.deskUrl} label="Open the messages at the desk" />
      <Note>The words above are the visitor's own. Treat links in them with care.</Note>
    </Layout>
  ),
};

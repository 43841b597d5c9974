import { oneLine } from '../clean.ts';
import { Layout } from '../layout.tsx';
import { Note, Paragraph, Quote } from '../parts.tsx';
import type { ContactNoticeProps } from '../props-visitor.ts';
import { STAFF_REASON } from '../staff.tsx';
import { Facts } from '../tables.tsx';
import type { Template } from '../template.ts';
import { moment } from '../words.ts';

/** Staff get a visitor's message. The mail's Reply-To is the visitor. */
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
      <Paragraph>Reply to this mail to answer. We promised an answer within 24 hours.</Paragraph>
      <Facts
        facts={[
          { label: 'From', value: p.name },
          { label: 'E-mail', value: p.email },
          { label: 'Received', value: moment(p.receivedAt) },
          { label: 'Message', value: p.messageId, code: true },
        ]}
      />
      <Note>The words above are the visitor's own. Treat links in them with care.</Note>
    </Layout>
  ),
};

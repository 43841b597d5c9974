import { Layout } from '../layout.tsx';
import { Button } from '../links.tsx';
import { Note, Paragraph } from '../parts.tsx';
import type { ContactAcknowledgementProps } from '../props-visitor.ts';
import type { Template } from '../template.ts';
import { greeting, moment } from '../words.ts';

/** The visitor learns that the message arrived, and when to expect an answer (spec §8). */
export const contactAcknowledgement: Template<ContactAcknowledgementProps> = {
  subject: () => 'We have your message',
  Mail: (p) => (
    <Layout
      siteUrl={p.siteUrl}
      preview="We'll get back to you within 24 hours."
      eyebrow="Message received"
      tone="after"
      title="We have your message"
      reason="You receive this because this address was given in the contact form of the Querywright site."
    >
      <Paragraph>{greeting(p.name)}</Paragraph>
      <Paragraph>
        Thank you for writing to us. Your message arrived on {moment(p.receivedAt)}.{' '}
        <strong>We'll get back to you within 24 hours.</strong>
      </Paragraph>
      <Paragraph>
        Until then it helps to have at hand: the database and its version, the size of the largest tables, and
        the query or the hour of the day that hurts.
      </Paragraph>
      <Button href={new URL('/services', p.siteUrl).href} label="See our services" />
      <Note>If it was not you who wrote to us, you can ignore this mail.</Note>
    </Layout>
  ),
};

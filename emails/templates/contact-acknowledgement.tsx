import { Layout } from '../parts/layout.tsx';
import { Button } from '../parts/links.tsx';
import { Note, Paragraph } from '../parts/text.tsx';
import { greeting, moment } from '../parts/words.ts';
import type { ContactAcknowledgementProps } from '../props/visitor.ts';
import type { Template } from '../template.ts';

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
        It helps to have these at hand: the database and its version, the size of the largest tables, and the
        query or the time of day that hurts.
      </Paragraph>
      <Button href={new URL('/services', p.siteUrl).href} label="See our services" />
      <Note>If you did not write to us, you can ignore this e-mail.</Note>
    </Layout>
  ),
};

import { Layout } from '../parts/layout.tsx';
import { Button, TextLink } from '../parts/links.tsx';
import { Note, Paragraph } from '../parts/text.tsx';
import type { NewsletterWelcomeProps } from '../props/visitor.ts';
import type { Template } from '../template.ts';

export const newsletterWelcome: Template<NewsletterWelcomeProps> = {
  subject: () => 'You are on the Querywright newsletter',
  Mail: (p) => (
    <Layout
      siteUrl={p.siteUrl}
      preview="Your subscription is confirmed. What to expect, and how to leave."
      eyebrow="Newsletter"
      tone="after"
      title="Your subscription is confirmed"
      reason="You receive this because you confirmed your subscription to the Querywright newsletter."
      unsubscribeUrl={p.unsubscribeUrl}
    >
      <Paragraph>
        Welcome. We write about the work itself: query plans before and after, indexes that earn their keep,
        lock waits, replica lag, and cut-overs without downtime, in PostgreSQL, MySQL and MongoDB.
      </Paragraph>
      <Button href={new URL('/services', p.siteUrl).href} label="See what we do" />
      <Note>
        You can <TextLink href={p.unsubscribeUrl}>unsubscribe</TextLink> at any time, with one click. The link
        is also at the end of every issue.
      </Note>
    </Layout>
  ),
};

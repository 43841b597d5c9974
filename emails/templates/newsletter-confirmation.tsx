import { Layout } from '../parts/layout.tsx';
import { Address, Button } from '../parts/links.tsx';
import { Note, Paragraph } from '../parts/text.tsx';
import { hours } from '../parts/words.ts';
import type { NewsletterConfirmationProps } from '../props/visitor.ts';
import type { Template } from '../template.ts';

export const newsletterConfirmation: Template<NewsletterConfirmationProps> = {
  subject: () => 'Please confirm your newsletter subscription',
  Mail: (p) => (
    <Layout
      siteUrl={p.siteUrl}
      preview={`One step is left. The link works for ${hours(p.validHours)}.`}
      eyebrow="Newsletter"
      tone="accent"
      title="Please confirm your subscription"
      reason="You receive this once, because this address was entered in the newsletter form of the Querywright site."
    >
      <Paragraph>
        You asked for the Querywright newsletter. Confirm that this address is yours and you are on the list.
      </Paragraph>
      <Button href={p.confirmUrl} label="Confirm subscription" />
      <Paragraph>
        The link works for {hours(p.validHours)}. After that, subscribe again for a new one.
      </Paragraph>
      <Address href={p.confirmUrl} />
      <Note>If this was not you, ignore this e-mail: without confirmation we send you nothing else.</Note>
    </Layout>
  ),
};

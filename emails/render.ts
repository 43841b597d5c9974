import { render } from '@react-email/render';
import { cleanProps, subjectLine } from './clean.ts';
import { toText } from './plain-text.ts';
import { outlookStyles } from './stylesheet.ts';
import type { Template } from './template.ts';

/** What goes out: the subject is one line, the HTML a whole document, the text part stands on its own. */
export type EmailContent = { subject: string; html: string; text: string };

/**
 * One mail from its template, with every value cleaned and escaped.
 * @throws TypeError for a link that is not absolute http(s), RangeError for a date that is none.
 */
export async function renderTemplate<P extends object>(
  template: Template<P>,
  props: P,
): Promise<EmailContent> {
  const cleaned = cleanProps(props);
  const mail = template.Mail(cleaned);
  const html = await render(mail);
  return {
    subject: subjectLine(template.subject(cleaned)),
    html: html.replace('</head>', `${outlookStyles}</head>`),
    text: toText(mail),
  };
}

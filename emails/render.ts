import { renderToStaticMarkup } from 'react-dom/server';
import { cleanProps, subjectLine } from './parts/clean.ts';
import { toText } from './parts/plain-text.ts';
import { outlookStyles } from './parts/stylesheet.ts';
import type { Template } from './template.ts';

export type EmailContent = { subject: string; html: string; text: string };

/**
 * Renders a template with every value cleaned and escaped.
 * @throws TypeError for a link that is not absolute http(s), RangeError for a date that is none.
 */
export function renderTemplate<P extends object>(template: Template<P>, props: P): EmailContent {
  const cleaned = cleanProps(props);
  const mail = template.Mail(cleaned);
  const html = renderToStaticMarkup(mail);
  return {
    subject: subjectLine(template.subject(cleaned)),
    html: `<!DOCTYPE html>${html.replace('</head>', `${outlookStyles}</head>`)}`,
    text: toText(mail),
  };
}

import { describe, expect, it } from 'vitest';
import { type EmailKind, emailKinds } from '../core/emails.ts';
import { renderEmail } from './index.ts';
import { renderPreviews } from './preview.ts';
import { sampleProps } from './samples/sample-props.ts';

const HOSTILE = `<script>alert(1)</script>"'&\r\nBcc: victim@evil.example`;

describe.each(Object.keys(emailKinds) as EmailKind[])('the %s mail', (kind) => {
  it('has a subject, an HTML document and a text part', () => {
    const { subject, html, text } = sample(kind);
    expect(subject).toMatch(/^[A-Z][^\r\n]{5,100}$/);
    expect(html).toMatch(/^<!DOCTYPE html/);
    expect(html).toContain('</html>');
    expect(text.length).toBeGreaterThan(200);
  });

  it('shows no placeholder and no missing value in either part', () => {
    const { subject, html, text } = sample(kind);
    for (const part of [subject, visible(html), text]) {
      expect(part).not.toMatch(/undefined|\bnull\b|NaN|Invalid Date|\[object|\{\{|\$\{|\{\w+\}/);
    }
  });

  it('links only to absolute http(s) addresses, and names each of them in the text part', () => {
    const { html, text } = sample(kind);
    const links = hrefs(html);
    expect(links.length).toBeGreaterThan(1);
    for (const link of links) {
      expect(link).toMatch(/^https?:\/\/[a-z]/);
      if (link !== `${sampleProps[kind].siteUrl}/`) expect(text).toContain(link);
    }
  });

  it('separates links and sentences in the text part', () => {
    const { html, text } = sample(kind);
    const links = text.match(/https?:\/\/[^\s>]+/g) ?? [];
    expect(hrefs(html)).toEqual(expect.arrayContaining(links));
    expect(text.replaceAll(/https?:\/\/\S+/g, '')).not.toMatch(/[a-z][.:][A-Z]/);
  });

  it('states the same facts in both parts', () => {
    const { html, text } = sample(kind);
    const shown = visible(html);
    for (const [name, value] of Object.entries(sampleProps[kind])) {
      if (
        typeof value !== 'string' ||
        /Url$|At$|Method$|Currency$|^currency$|^state$|^provider$|^warning$|Reason$/.test(name)
      )
        continue;
      for (const line of value.split('\n').filter(Boolean)) {
        expect(text.includes(line.trim()), `${name} in text`).toBe(shown.includes(line.trim()));
      }
    }
    expect([...text.matchAll(/\$[\d,]+\.\d\d/g)].map(String).sort()).toEqual(
      [...withoutPreview(html).matchAll(/\$[\d,]+\.\d\d/g)].map(String).sort(),
    );
  });

  it('has a preview line, colors for dark mode, and neither image nor script', () => {
    const { html } = sample(kind);
    expect(html).toMatch(/<div style="display:none[^"]*">[A-Z“"\w$]/);
    expect(html).toContain('<meta name="color-scheme" content="light dark"/>');
    expect(html).toContain('@media (prefers-color-scheme:dark)');
    expect(html).not.toMatch(/<img|<script|<link|url\(/);
    // Gmail clips messages larger than 102 kB.
    expect(Buffer.byteLength(html)).toBeLessThan(50_000);
  });

  it('escapes hostile values and keeps its subject to one line', () => {
    const { subject, html, text } = renderEmail(kind, withEveryText(kind, HOSTILE));
    expect(html).not.toContain('<script>');
    expect(subject).not.toMatch(/\p{Cc}/u);
    expect(text).not.toContain('\r');
    expect(html).not.toMatch(/href="(?!https?:)/);
  });
});

describe('hostile values', () => {
  it('flattens a line break in a name that goes into the subject', () => {
    const { subject } = renderEmail('contact_notice', {
      ...sampleProps.contact_notice,
      name: 'Eve\r\nBcc: all@evil.example',
    });
    expect(subject).toBe('Message from Eve Bcc: all@evil.example through the contact form');
  });

  it('refuses a link that is not http or https', () => {
    expect(() =>
      renderEmail('newsletter_confirmation', {
        ...sampleProps.newsletter_confirmation,
        confirmUrl: 'javascript:alert(1)',
      }),
    ).toThrow(TypeError);
    expect(() =>
      renderEmail('payment_failed', { ...sampleProps.payment_failed, retryUrl: '/pricing' }),
    ).toThrow(TypeError);
  });

  it('does not greet with an address that was entered as a name', () => {
    const { html, text } = renderEmail('contact_acknowledgement', {
      ...sampleProps.contact_acknowledgement,
      name: 'Win now at https://evil.example',
    });
    expect(html + text).not.toContain('evil');
    expect(text).toContain('Hello,\n');
  });

  it("keeps a visitor's line breaks and spaces as they were", () => {
    const message = 'a  b\n\n    indented <b> & "c"\n\tend';
    const { html, text } = renderEmail('contact_notice', { ...sampleProps.contact_notice, message });
    expect(text).toContain(message);
    expect(html).toMatch(/<pre [^>]*white-space:pre-wrap/);
    expect(html).toContain('a  b\n\n    indented &lt;b&gt; &amp; &quot;c&quot;\n\tend</pre>');
  });
});

function sample(kind: EmailKind) {
  const found = renderPreviews().find((preview) => preview.kind === kind);
  if (!found) throw new Error(`No preview of ${kind}`);
  return found;
}

/** The sample's props with every free text replaced; links, dates, codes and closed lists stay valid. */
function withEveryText<K extends EmailKind>(kind: K, text: string): (typeof sampleProps)[K] {
  const entries = Object.entries(sampleProps[kind]).map(([name, value]) => {
    const isFree =
      typeof value === 'string' && !/Url$|At$|Method$|urrency$|^state$|^provider$|^warning$/.test(name);
    return [name, isFree ? text : value];
  });
  return Object.fromEntries(entries);
}

function hrefs(html: string): string[] {
  return [...html.matchAll(/href="([^"]*)"/g)].map((match) => (match[1] ?? '').replaceAll('&amp;', '&'));
}

function visible(html: string): string {
  return html
    .replace(/<head>.*?<\/head>/s, '')
    .replace(/<!--.*?-->/gs, '')
    .replace(/<[^>]+>/g, '')
    .replaceAll('&#x27;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');
}

function withoutPreview(html: string): string {
  return visible(html.replace(/<div style="display:none.*?<\/div>/s, ''));
}

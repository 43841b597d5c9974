import type { CSSProperties, ReactNode } from 'react';
import { absoluteUrl, oneLine } from './clean.ts';
import { TextLink } from './links.tsx';
import { paragraphs, part } from './plain-text.ts';
import { stylesheet } from './stylesheet.ts';
import { breakable, light, mono, sans, sheetWidth, type Tone } from './tokens.ts';
import { Wordmark } from './wordmark.tsx';

interface LayoutProps {
  siteUrl: string;
  preview: string;
  eyebrow: string;
  tone: Tone;
  title: string;
  reason: string;
  unsubscribeUrl?: string;
  children: ReactNode;
}

// Keeps mail clients from filling the rest of the preview line with body text.
const PREVIEW_PADDING = '\u034f \u200c '.repeat(60);

export const Layout = part<LayoutProps>(
  (props) => (
    <html lang="en" dir="ltr">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <meta name="format-detection" content="telephone=no, date=no, address=no, email=no" />
        <meta name="x-apple-disable-message-reformatting" />
        <title>{props.title}</title>
        <style>{`:root{color-scheme:light dark;supported-color-schemes:light dark}${stylesheet}`}</style>
      </head>
      <body className="ground" style={{ margin: 0, padding: 0, backgroundColor: light.ground }}>
        <div style={HIDDEN}>
          {oneLine(props.preview)}
          {PREVIEW_PADDING}
        </div>
        <table
          role="presentation"
          width="100%"
          cellPadding={0}
          cellSpacing={0}
          border={0}
          className="ground"
          // Fixed, so that the sheet cannot widen the window.
          style={{ tableLayout: 'fixed', backgroundColor: light.ground }}
        >
          <tbody>
            <tr>
              <td align="center" style={{ padding: '32px 10px' }}>
                <table
                  role="presentation"
                  className="sheet"
                  width={sheetWidth}
                  cellPadding={0}
                  cellSpacing={0}
                  border={0}
                  style={{ maxWidth: '100%', textAlign: 'left' }}
                >
                  <tbody>
                    <tr>
                      <td className="gutter" style={{ padding: '0 36px 22px' }}>
                        <Wordmark siteUrl={props.siteUrl} />
                      </td>
                    </tr>
                    <tr>
                      <td
                        className="surface gutter"
                        style={{
                          padding: '32px 36px 20px',
                          backgroundColor: light.surface,
                          border: `1px solid ${light.line}`,
                          borderRadius: 10,
                        }}
                      >
                        <Eyebrow text={props.eyebrow} tone={props.tone} />
                        <h1 className="ink headline" style={TITLE}>
                          {oneLine(props.title)}
                        </h1>
                        {props.children}
                      </td>
                    </tr>
                    <tr>
                      <td className="gutter muted" style={FOOTER}>
                        <Footer {...props} />
                      </td>
                    </tr>
                  </tbody>
                </table>
              </td>
            </tr>
          </tbody>
        </table>
      </body>
    </html>
  ),
  (props, inner) => {
    const title = oneLine(props.title);
    const footer = `-- \n${inner(<FooterText {...props} />)}`;
    return `${title}\n${'='.repeat(title.length)}\n\n${paragraphs(props.children)}\n\n${footer}\n`;
  },
);

const HIDDEN: CSSProperties = {
  display: 'none',
  overflow: 'hidden',
  lineHeight: '1px',
  opacity: 0,
  maxHeight: 0,
  maxWidth: 0,
};

const TITLE: CSSProperties = {
  margin: '0 0 20px',
  fontFamily: sans,
  fontSize: 27,
  lineHeight: '34px',
  fontWeight: 600,
  letterSpacing: '-0.015em',
  color: light.ink,
  ...breakable,
};

const FOOTER: CSSProperties = {
  padding: '22px 36px 0',
  fontFamily: sans,
  fontSize: 13,
  lineHeight: '20px',
  color: light.muted,
};

/** The square is a character, so that every client draws it. */
function Eyebrow({ text, tone }: { text: string; tone: Tone }) {
  return (
    <p
      className="muted"
      style={{ margin: '0 0 12px', fontFamily: mono, fontSize: 13, lineHeight: '20px', color: light.muted }}
    >
      <span aria-hidden="true" className={`tone-${tone}`} style={{ color: light[tone] }}>
        {'\u25a0'}
      </span>
      {'\u00a0 '}
      {text}
    </p>
  );
}

const FIRM = 'Querywright · Senior database engineers · San Francisco · Mon-Fri 9AM-6PM EST';

function contactUrl(siteUrl: string): string {
  return new URL('/contact', absoluteUrl(siteUrl)).href;
}

function Footer({ siteUrl, reason, unsubscribeUrl }: LayoutProps) {
  return (
    <>
      {reason}
      <br />
      {FIRM}
      <br />
      <TextLink href={contactUrl(siteUrl)}>Contact us</TextLink>
      {unsubscribeUrl ? (
        <>
          {' · '}
          <TextLink href={unsubscribeUrl}>Unsubscribe</TextLink>
        </>
      ) : null}
    </>
  );
}

const FooterText = part<LayoutProps>(Footer, ({ siteUrl, reason, unsubscribeUrl }) =>
  [
    reason,
    FIRM,
    `Contact us: ${contactUrl(siteUrl)}`,
    ...(unsubscribeUrl ? [`Unsubscribe: ${absoluteUrl(unsubscribeUrl)}`] : []),
  ].join('\n'),
);

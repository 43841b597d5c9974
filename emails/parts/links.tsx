import type { CSSProperties } from 'react';
import { absoluteUrl } from './clean.ts';
import { part } from './plain-text.ts';
import { body } from './text.tsx';
import { light, sans } from './tokens.ts';

export const Button = part<{ href: string; label: string }>(
  ({ href, label }) => (
    <table
      role="presentation"
      className="button-row"
      cellPadding={0}
      cellSpacing={0}
      border={0}
      style={{ margin: '28px 0' }}
    >
      <tbody>
        <tr>
          <td className="button" align="center" style={buttonCell}>
            <a href={absoluteUrl(href)} style={buttonLabel}>
              {label}
            </a>
          </td>
        </tr>
      </tbody>
    </table>
  ),
  ({ href, label }) => `${label}:\n${absoluteUrl(href)}`,
);

// Windows Outlook ignores the padding of links but reads this.
const buttonCell: CSSProperties & { msoPaddingAlt: string } = {
  backgroundColor: light.accent,
  borderRadius: 10,
  msoPaddingAlt: '13px 24px',
};

const buttonLabel: CSSProperties = {
  display: 'inline-block',
  fontFamily: sans,
  fontSize: 16,
  lineHeight: '20px',
  fontWeight: 600,
  color: light.onAccent,
  textDecoration: 'none',
  padding: '13px 24px',
  borderRadius: 10,
};

export const TextLink = part<{ href: string; children: string }>(
  ({ href, children }) => (
    <a
      href={absoluteUrl(href)}
      className="accent"
      style={{ color: light.accent, textDecoration: 'underline' }}
    >
      {children}
    </a>
  ),
  ({ href, children }) => {
    const address = absoluteUrl(href);
    // Angle brackets delimit the URL (RFC 3986 appendix C).
    return children === address ? address : `${children} <${address}>`;
  },
);

/** The URL written out, for clients that show no button. */
export const Address = part<{ href: string }>(
  ({ href }) => (
    <p
      className="muted"
      style={{ ...body, fontSize: 13, lineHeight: '20px', color: light.muted, wordBreak: 'break-all' }}
    >
      Or copy this address into your browser:
      <br />
      <a href={absoluteUrl(href)} className="accent" style={{ color: light.accent }}>
        {absoluteUrl(href)}
      </a>
    </p>
  ),
  // The button's text part already contains the URL.
  () => '',
);

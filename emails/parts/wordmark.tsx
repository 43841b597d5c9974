import type { CSSProperties } from 'react';
import { absoluteUrl } from './clean.ts';
import { light, sans } from './tokens.ts';

const SQUARE = 7;
const dot = (height: number): CSSProperties => ({ width: SQUARE, height, fontSize: 1, lineHeight: '1px' });

/** The mark drawn with table cells: many clients block images and drop SVG. */
function Mark() {
  const filled = { backgroundColor: light.accent };
  return (
    <table role="presentation" aria-hidden="true" cellPadding={0} cellSpacing={0} border={0}>
      <tbody>
        <tr>
          <td style={dot(3)} />
          <td style={{ ...dot(3), width: 6 }} />
          <td rowSpan={2} className="node" style={{ ...dot(SQUARE), ...filled }} />
        </tr>
        <tr>
          <td style={dot(4)} />
          <td
            rowSpan={3}
            className="branch"
            style={{
              width: 5,
              fontSize: 1,
              lineHeight: '1px',
              border: `1px solid ${light.muted}`,
              borderRight: 0,
            }}
          />
        </tr>
        <tr>
          <td className="node" style={{ ...dot(SQUARE), ...filled }} />
          <td style={dot(SQUARE)} />
        </tr>
        <tr>
          <td style={dot(4)} />
          <td rowSpan={2} className="node" style={{ ...dot(SQUARE), ...filled }} />
        </tr>
        <tr>
          <td style={dot(3)} />
          <td style={{ ...dot(3), width: 6 }} />
        </tr>
      </tbody>
    </table>
  );
}

export function Wordmark({ siteUrl }: { siteUrl: string }) {
  return (
    <table role="presentation" cellPadding={0} cellSpacing={0} border={0}>
      <tbody>
        <tr>
          <td valign="middle" style={{ paddingRight: 11 }}>
            <Mark />
          </td>
          <td valign="middle">
            <a
              href={absoluteUrl(siteUrl)}
              className="ink"
              style={{
                fontFamily: sans,
                fontSize: 20,
                lineHeight: '24px',
                fontWeight: 600,
                letterSpacing: '-0.01em',
                color: light.ink,
                textDecoration: 'none',
              }}
            >
              Querywright
            </a>
          </td>
        </tr>
      </tbody>
    </table>
  );
}

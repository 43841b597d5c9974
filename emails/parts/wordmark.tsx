import type { CSSProperties } from 'react';
import { absoluteUrl } from './clean.ts';
import { light, sans } from './tokens.ts';

/** The logo, drawn with table cells: many clients block images and drop SVG. */
function Mark() {
  const branch = { borderColor: light.ink, borderStyle: 'solid', borderWidth: '2px 2px 0' };
  return (
    <>
      <Row height={8} sides={gap(6)} middle={{ width: 8, className: 'node', style: filled(light.accent) }} />
      <Row height={2} sides={gap(9)} middle={{ width: 2, className: 'leaf', style: filled(light.ink) }} />
      <Row height={2} sides={gap(3)} middle={{ width: 10, className: 'branch', style: branch }} />
      <Row height={8} sides={leaf} middle={gap(4)} />
    </>
  );
}

interface Cell {
  width: number;
  className?: string;
  style?: CSSProperties;
}

const filled = (backgroundColor: string): CSSProperties => ({ backgroundColor });
const gap = (width: number): Cell => ({ width });
const leaf: Cell = { width: 8, className: 'leaf', style: filled(light.ink) };

/** Every row of the mark is symmetric. */
function Row({ height, sides, middle }: { height: number; sides: Cell; middle: Cell }) {
  const side = <CellBox height={height} {...sides} />;
  return (
    <table role="presentation" aria-hidden="true" cellPadding={0} cellSpacing={0} border={0}>
      <tbody>
        <tr>
          {side}
          <CellBox height={height} {...middle} />
          {side}
        </tr>
      </tbody>
    </table>
  );
}

function CellBox({ height, width, className, style }: Cell & { height: number }) {
  const size: CSSProperties = { height, padding: 0, fontSize: 1, lineHeight: '1px' };
  return <td className={className} style={{ ...size, width, ...style }} />;
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

import type { CSSProperties } from 'react';
import { absoluteUrl } from './clean.ts';
import { light, sans } from './tokens.ts';

/**
 * The mark, one node above two, drawn with table cells: many clients block images and drop SVG. A table per row, since
 * spans that disagree are drawn differently everywhere.
 */
function Mark() {
  const line = { className: 'branch', style: { borderColor: light.ink, borderStyle: 'solid' } };
  return (
    <>
      <Row
        height={8}
        cells={[gap(6), { width: 8, className: 'node', style: filled(light.accent) }, gap(6)]}
      />
      <Row height={2} cells={[gap(9), { width: 2, className: 'leaf', style: filled(light.ink) }, gap(9)]} />
      <Row
        height={2}
        cells={[gap(3), { ...line, width: 10, style: { ...line.style, borderWidth: '2px 2px 0' } }, gap(3)]}
      />
      <Row height={8} cells={[leaf, gap(4), leaf]} />
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

function Row({ height, cells }: { height: number; cells: readonly Cell[] }) {
  const size: CSSProperties = { height, padding: 0, fontSize: 1, lineHeight: '1px' };
  return (
    <table role="presentation" aria-hidden="true" cellPadding={0} cellSpacing={0} border={0}>
      <tbody>
        <tr>
          {cells.map(({ width, className, style }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the cells are fixed
            <td key={index} className={className} style={{ ...size, width, ...style }} />
          ))}
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

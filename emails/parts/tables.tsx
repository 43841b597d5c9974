import type { CSSProperties } from 'react';
import { formatMoney } from '../../core/money.ts';
import { oneLine } from './clean.ts';
import { part } from './plain-text.ts';
import { breakable, light, mono, sans } from './tokens.ts';

export interface Fact {
  label: string;
  value: string;
  /** Monospaced, for ids and codes. */
  code?: boolean;
}

const CELL: CSSProperties = {
  fontFamily: sans,
  fontSize: 15,
  lineHeight: '22px',
  padding: '10px 0',
  borderBottom: `1px solid ${light.line}`,
};

export const Facts = part<{ facts: Fact[] }>(
  ({ facts }) => (
    <table
      width="100%"
      cellPadding={0}
      cellSpacing={0}
      border={0}
      style={{ margin: '0 0 24px', tableLayout: 'fixed' }}
    >
      <tbody>
        {facts.map((fact) => (
          <tr key={fact.label}>
            <th
              scope="row"
              align="left"
              className="fact-label muted rule"
              style={{
                ...CELL,
                width: '34%',
                verticalAlign: 'top',
                fontWeight: 400,
                textAlign: 'left',
                color: light.muted,
              }}
            >
              {fact.label}
            </th>
            <td
              valign="top"
              className="fact-value ink rule"
              style={{
                ...CELL,
                ...(fact.code ? { fontFamily: mono, fontSize: 13 } : {}),
                color: light.ink,
                ...breakable,
              }}
            >
              {oneLine(fact.value)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  ),
  ({ facts }) => {
    const width = Math.max(...facts.map((fact) => fact.label.length)) + 3;
    return facts.map((fact) => `${`${fact.label}:`.padEnd(width)}${oneLine(fact.value)}`).join('\n');
  },
);

export interface LedgerLine {
  label: string;
  amount: number;
}

export const Ledger = part<{ lines: LedgerLine[]; currency: string }>(
  ({ lines, currency }) => (
    <table
      width="100%"
      cellPadding={0}
      cellSpacing={0}
      border={0}
      className="panel"
      style={{
        margin: '8px 0 20px',
        backgroundColor: light.ground,
        border: `1px solid ${light.line}`,
        borderRadius: 10,
        borderCollapse: 'separate',
      }}
    >
      <tbody>
        {lines.map((line, index) => (
          <LedgerRow
            key={line.label}
            line={line}
            currency={currency}
            isFirst={index === 0}
            isResult={index === lines.length - 1}
          />
        ))}
      </tbody>
    </table>
  ),
  ({ lines, currency }) => {
    const labels = Math.max(...lines.map((line) => oneLine(line.label).length)) + 3;
    const amounts = lines.map((line) => formatMoney(line.amount, currency));
    const width = Math.max(...amounts.map((amount) => amount.length));
    const rows = lines.map(
      (line, index) => `${oneLine(line.label).padEnd(labels)}${(amounts[index] ?? '').padStart(width)}`,
    );
    rows.splice(-1, 0, '-'.repeat(labels + width));
    return rows.join('\n');
  },
);

interface LedgerRowProps {
  line: LedgerLine;
  currency: string;
  isFirst: boolean;
  isResult: boolean;
}

function LedgerRow({ line, currency, isFirst, isResult }: LedgerRowProps) {
  const cell: CSSProperties = {
    fontSize: 15,
    lineHeight: '22px',
    fontWeight: isResult ? 600 : 400,
    color: light.ink,
    paddingTop: isFirst || isResult ? 14 : 0,
    paddingBottom: isResult ? 14 : 10,
    ...(isResult ? { borderTop: `1px solid ${light.line}` } : {}),
  };
  return (
    <tr>
      <th
        scope="row"
        align="left"
        className="ink rule"
        style={{
          ...cell,
          ...breakable,
          fontFamily: sans,
          paddingLeft: 16,
          paddingRight: 8,
          textAlign: 'left',
        }}
      >
        {oneLine(line.label)}
      </th>
      <td
        align="right"
        className="ink rule"
        style={{ ...cell, fontFamily: mono, paddingLeft: 8, paddingRight: 16, whiteSpace: 'nowrap' }}
      >
        {formatMoney(line.amount, currency)}
      </td>
    </tr>
  );
}

import type { CSSProperties, ReactNode } from 'react';
import { oneLine } from './clean.ts';
import { part } from './plain-text.ts';
import { breakable, light, mono, sans } from './tokens.ts';

interface WithChildren {
  children: ReactNode;
}

export const body: CSSProperties = {
  margin: '0 0 16px',
  fontFamily: sans,
  fontSize: 16,
  lineHeight: '25px',
  color: light.ink,
  ...breakable,
};

export const Paragraph = part<WithChildren>(
  ({ children }) => (
    <p className="ink" style={body}>
      {children}
    </p>
  ),
  ({ children }, inner) => oneLine(inner(children)),
);

export const Note = part<WithChildren>(
  ({ children }) => (
    <p className="muted" style={{ ...body, fontSize: 14, lineHeight: '22px', color: light.muted }}>
      {children}
    </p>
  ),
  ({ children }, inner) => oneLine(inner(children)),
);

export const Heading = part<WithChildren>(
  ({ children }) => (
    <h2
      className="ink"
      style={{ ...body, margin: '32px 0 14px', fontSize: 18, lineHeight: '24px', fontWeight: 600 }}
    >
      {children}
    </h2>
  ),
  ({ children }, inner) => {
    const text = oneLine(inner(children));
    return `${text}\n${'-'.repeat(text.length)}`;
  },
);

const STEP_NUMBER: CSSProperties = {
  width: 36,
  padding: '2px 0 16px',
  fontFamily: mono,
  fontSize: 14,
  lineHeight: '24px',
  color: light.accent,
};

export interface Step {
  title: string;
  text: string;
}

export const Steps = part<{ steps: Step[] }>(
  ({ steps }) => (
    <table role="presentation" width="100%" cellPadding={0} cellSpacing={0} border={0}>
      <tbody>
        {steps.map((step, index) => (
          <tr key={step.title}>
            <td className="accent" valign="top" width={36} style={STEP_NUMBER}>
              {index + 1}
            </td>
            <td className="ink" valign="top" style={{ ...body, padding: '0 0 16px' }}>
              <strong style={{ fontWeight: 600 }}>{step.title}</strong>
              <br />
              <span className="muted" style={{ color: light.muted }}>
                {step.text}
              </span>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  ),
  ({ steps }) => steps.map((step, index) => `${index + 1}. ${step.title}. ${oneLine(step.text)}`).join('\n'),
);

const BLOCK: CSSProperties = {
  fontFamily: mono,
  fontSize: 14,
  lineHeight: '22px',
  color: light.ink,
  backgroundColor: light.ground,
  border: `1px solid ${light.line}`,
  borderRadius: 10,
  padding: '14px 16px',
  margin: '0 0 20px',
  ...breakable,
  whiteSpace: 'pre-wrap',
};

/** A person's text, verbatim: monospaced for query plans, `pre` for clients that drop styles. */
export const Quote = part<{ text: string }>(
  ({ text }) => (
    <pre className="panel ink" dir="auto" style={BLOCK}>
      {text}
    </pre>
  ),
  ({ text }) => text,
);

export const Command = part<{ line: string }>(
  ({ line }) => (
    <pre className="panel ink" style={{ ...BLOCK, fontSize: 13 }}>
      {line}
    </pre>
  ),
  ({ line }) => `    ${oneLine(line)}`,
);

import { showUpTo } from './table.ts';

/** What a check found, and what to do about it. */
export interface Finding {
  check: string;
  state: 'ok' | 'warning' | 'problem';
  found: string;
  action?: string;
}

const MAX_LENGTH = 1_000;

/** One line per finding, with what to do about it below. */
export function describeFindings(findings: readonly Finding[]): string {
  const width = Math.max(...findings.map(({ check }) => check.length));
  return findings
    .flatMap(({ check, state, found, action }) => {
      const line = `${check.padEnd(width)}  ${state.toUpperCase().padEnd(7)}  ${showUpTo(MAX_LENGTH, found)}`;
      return action ? [line, `${' '.repeat(width + 11)}→ ${showUpTo(MAX_LENGTH, action)}`] : [line];
    })
    .join('\n');
}

export function hasProblem(findings: readonly Finding[]): boolean {
  return findings.some(({ state }) => state === 'problem');
}

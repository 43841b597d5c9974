import { within } from '../../infra/deadline.ts';
import type { Finding } from '../findings.ts';

export type Verdict = Omit<Finding, 'check'>;

const DEADLINE_MS = 15_000;

/** Runs one check; what it throws is a problem, and `hint` what to do then. */
export async function check(
  name: string,
  hint: string,
  work: () => Promise<Verdict | Verdict[]>,
): Promise<Finding[]> {
  const verdicts = await within(DEADLINE_MS, work()).catch((error: unknown) =>
    problem(reasonOf(error), hint),
  );
  return [verdicts].flat().map((verdict) => ({ check: name, ...verdict }));
}

/** The error's message; of a host that was tried at several addresses, that of the first. */
export function reasonOf(error: unknown): string {
  const one = error instanceof AggregateError ? error.errors[0] : error;
  return one instanceof Error && one.message ? one.message : String(one);
}

export function ok(found: string): Verdict {
  return { state: 'ok', found };
}

export function warning(found: string, action: string): Verdict {
  return { state: 'warning', found, action };
}

export function problem(found: string, action: string): Verdict {
  return { state: 'problem', found, action };
}

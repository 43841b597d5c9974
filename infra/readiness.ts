import type { RequestHandler } from 'express';
import type { ReadinessReport } from '../core/health.ts';
import { within } from './deadline.ts';

type State = ReadinessReport['checks'][string];
type Checks = Record<string, State | (() => Promise<unknown>)>;

const DEADLINE_MS = 1_500;

/** Checks all dependencies, each for at most 1.5 s. Without a required one: not ready; without another: degraded. */
export async function readiness(required: Checks, optional: Checks = {}): Promise<ReadinessReport> {
  const [needed, helpful] = await Promise.all([statesOf(required), statesOf(optional)]);
  const [essential, lesser] = [unreachable(needed), unreachable(helpful)];
  const status = essential.length > 0 ? 'not ready' : lesser.length > 0 ? 'degraded' : 'ready';
  return { status, missing: [...essential, ...lesser], checks: { ...needed, ...helpful } };
}

async function statesOf(checks: Checks): Promise<Record<string, State>> {
  const states = Object.entries(checks).map(async ([name, check]) => [name, await stateOf(check)] as const);
  return Object.fromEntries(await Promise.all(states));
}

async function stateOf(check: Checks[string]): Promise<State> {
  if (typeof check === 'string') return check;
  try {
    await within(DEADLINE_MS, check());
    return 'ok';
  } catch {
    return 'unreachable';
  }
}

function unreachable(states: Record<string, State>): string[] {
  return Object.keys(states).filter((name) => states[name] === 'unreachable');
}

/** Answers 200, or 503 if the process is not ready. Concurrent requests share one check. */
export function readinessHandler(check: () => Promise<ReadinessReport>): RequestHandler {
  let pending: Promise<ReadinessReport> | undefined;
  return async function sendReadiness(_req, res) {
    pending ??= check().finally(() => {
      pending = undefined;
    });
    const report = await pending;
    res.set('Cache-Control', 'no-store').status(report.status === 'not ready' ? 503 : 200);
    res.json(report);
  };
}

import type { RequestHandler } from 'express';
import { within } from './deadline.ts';

/** 'off': disabled by the settings, which is not a fault. */
export type DependencyState = 'ok' | 'unreachable' | 'off';

export interface Readiness {
  status: 'ready' | 'not ready';
  missing: string[];
  checks: Record<string, DependencyState>;
}

const DEADLINE_MS = 1_500;

/** Checks all dependencies concurrently; one that does not answer within 1.5 s is missing. */
export async function readiness(
  checks: Record<string, DependencyState | (() => Promise<unknown>)>,
): Promise<Readiness> {
  const states = await Promise.all(
    Object.entries(checks).map(async ([name, check]) => [name, await stateOf(check)] as const),
  );
  const missing = states.filter(([, state]) => state === 'unreachable').map(([name]) => name);
  return {
    status: missing.length === 0 ? 'ready' : 'not ready',
    missing,
    checks: Object.fromEntries(states),
  };
}

async function stateOf(check: DependencyState | (() => Promise<unknown>)): Promise<DependencyState> {
  if (typeof check === 'string') return check;
  try {
    await within(DEADLINE_MS, check());
    return 'ok';
  } catch {
    return 'unreachable';
  }
}

/** Answers 200, or 503 with what is missing. */
export function readinessHandler(check: () => Promise<Readiness>): RequestHandler {
  return async function sendReadiness(_req, res) {
    const answer = await check();
    res.set('Cache-Control', 'no-store').status(answer.missing.length === 0 ? 200 : 503);
    res.json(answer);
  };
}

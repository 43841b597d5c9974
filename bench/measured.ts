import { startScript } from '../testing/processes.ts';

/** As in the container image and docs/operations.md: a small young generation keeps the processes small. */
const NODE_OPTIONS = '--max-semi-space-size=4 --max-old-space-size=128';

/** Starts a script of dist/ or bench/ with the memory limits of production. */
export function startMeasured(script: string, env: Record<string, string>) {
  return startScript(script, { NODE_OPTIONS, ...env });
}

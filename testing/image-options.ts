import { readFileSync } from 'node:fs';
import path from 'node:path';

/** The container image's NODE_OPTIONS. */
export function imageNodeOptions(): string {
  const dockerfile = readFileSync(path.join(import.meta.dirname, '../Dockerfile'), 'utf8');
  const [, options] = /^ENV NODE_OPTIONS="(.*)"$/m.exec(dockerfile) ?? [];
  if (!options) throw new Error('The Dockerfile sets no NODE_OPTIONS');
  return options;
}

import { existsSync } from 'node:fs';
import path from 'node:path';
import { findOnPath, TOOLS, unpackDebianPackages } from './debian.ts';

export const promtoolHint =
  'No promtool: put it on the PATH (it comes with Prometheus), or run on a machine with apt';

/** Returns the path of Prometheus' promtool: installed, else unpacked from Debian's package, else undefined. */
export function findPromtool(): string | undefined {
  const installed = findOnPath('promtool')?.path;
  if (installed) return installed;
  const unpacked = path.join(TOOLS, 'usr/bin/promtool');
  if (!existsSync(unpacked)) unpackDebianPackages(['prometheus']);
  return existsSync(unpacked) ? unpacked : undefined;
}

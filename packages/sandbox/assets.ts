import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

/**
 * The folder of browser files beside the caller. The build compiles TypeScript only, so from `dist/sandbox/…`
 * the files are found in the sources two levels up.
 */
export function assetFolder(callerFolder: string, name: string): string {
  const beside = join(callerFolder, name);
  if (existsSync(beside)) return beside;
  const inSources = callerFolder.replace(/([/\\])dist([/\\]packages[/\\]sandbox)/, '$2');
  return join(inSources, name);
}

/** A folder that the build makes in `dist/`; the sandbox itself may run compiled or from its sources. */
export function builtFolder(sandboxFolder: string, name: string): string {
  const isBuilt = /[/\\]dist[/\\]packages[/\\]sandbox$/.test(sandboxFolder);
  return resolve(sandboxFolder, isBuilt ? '../..' : '../../dist', name);
}

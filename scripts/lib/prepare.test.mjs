import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ensureInstalled } from './prepare.mjs';
import { root } from './run.mjs';

const pathBefore = process.env.PATH;
let folder;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'querywright-install-'));
  writeFileSync(path.join(folder, 'package-lock.json'), '{}');
});
afterEach(() => {
  process.env.PATH = pathBefore;
  rmSync(folder, { recursive: true });
});

test('packages are installed once, from npm’s cache alone if it has them', async () => {
  const calls = useNpm('exit 0');
  await install();
  await install();
  expect(calls()).toEqual([expect.stringContaining('--prefer-offline')]);
});

test('the registry is asked if npm’s cache is too old', async () => {
  const calls = useNpm('case "$*" in *--prefer-offline*) exit 1;; esac');
  await install();
  expect(calls()).toEqual([
    expect.stringContaining('--prefer-offline'),
    expect.not.stringContaining('--prefer-offline'),
  ]);
});

const install = () => ensureInstalled(path.relative(root, folder));

/** Puts an npm on the PATH that records how it is called. Returns the calls. */
function useNpm(then) {
  const file = path.join(folder, 'bin/npm');
  const log = path.join(folder, 'calls');
  mkdirSync(path.dirname(file));
  writeFileSync(file, `#!/bin/sh\necho "$*" >> '${log}'\nmkdir -p "$3/node_modules"\n${then}\n`);
  chmodSync(file, 0o755);
  process.env.PATH = [path.dirname(file), pathBefore].join(path.delimiter);
  return () => readFileSync(log, 'utf8').trim().split('\n');
}

import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ensureInstalled, preferImageNode } from './prepare.mjs';
import { root } from './run.mjs';

const pathBefore = process.env.PATH;
const major = readFileSync(path.join(root, '.nvmrc'), 'utf8').trim();
let folder;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'querywright-install-'));
  writeFileSync(path.join(folder, 'package-lock.json'), '{}');
});
afterEach(() => {
  vi.restoreAllMocks();
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

test('the container image’s Node.js comes first in PATH', async () => {
  useNpm(`mkdir "$3/node_modules/.bin"; ln -s '${process.execPath}' "$3/node_modules/.bin/node"`);
  const before = process.env.PATH;
  await preferImageNode({ version: '20.19.0', folder: path.relative(root, folder) });
  expect(process.env.PATH).toBe([path.join(folder, 'node_modules/.bin'), before].join(path.delimiter));
});

test('a machine with the container image’s Node.js installs none', async () => {
  const calls = useNpm('exit 1');
  const before = process.env.PATH;
  await preferImageNode({ version: `${major}.0.0`, folder: path.relative(root, folder) });
  expect(process.env.PATH).toBe(before);
  expect(calls()).toEqual([]);
});

test('a machine that npm has no Node.js for keeps its own, and says so', async () => {
  useNpm('exit 0');
  const warn = vi.spyOn(console, 'warn').mockReturnValue();
  const before = process.env.PATH;
  await preferImageNode({ version: '20.19.0', folder: path.relative(root, folder) });
  expect(process.env.PATH).toBe(before);
  expect(warn).toHaveBeenCalledWith(`npm has no Node.js ${major} for this machine; testing on 20.19.0`);
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
  return () => (existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : []);
}

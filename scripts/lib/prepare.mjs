import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';

// Plain JavaScript without a dependency: this runs before anything is installed.

export const root = path.resolve(import.meta.dirname, '../..');

/** Ends with a clear message on a Node.js that is too old. */
export function requireNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  fail(`Querywright needs Node.js 20.19 or newer; this is ${process.versions.node}`);
}

/** Installs what package-lock.json says, unless that is what is installed. */
export function ensureInstalled() {
  const stamp = path.join(root, 'node_modules/.querywright-lock');
  const wanted = hashOf([path.join(root, 'package-lock.json')]);
  if (readStamp(stamp) === wanted) return;
  run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], 'Installing packages (once) …');
  writeFileSync(stamp, wanted);
}

const sources = [
  'core',
  'db',
  'infra',
  'api',
  'worker',
  'ops',
  'sandbox',
  'web',
  'scripts',
  'package-lock.json',
  'tsconfig.json',
  'tsconfig.build.json',
];

/** Builds the servers and the site into dist/, unless they are newer than every source. */
export function ensureBuilt() {
  const stamp = path.join(root, 'dist/.querywright-sources');
  const wanted = hashOf(sources.flatMap((entry) => filesIn(path.join(root, entry))));
  if (readStamp(stamp) === wanted) return;
  run(process.execPath, [path.join(root, 'scripts/build.mjs')], 'Building …');
  writeFileSync(stamp, wanted);
}

/** Runs a program in the project's folder with its output shown; ends this process if it fails. */
export function run(command, args, title) {
  if (title) console.info(title);
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: 'inherit' });
  if (status !== 0) fail(`${command} ${args.join(' ')} failed${error ? `: ${error.message}` : ''}`);
}

export function fail(message) {
  console.error(message);
  process.exit(1);
}

function readStamp(file) {
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}

function filesIn(entry) {
  if (!existsSync(entry)) return [];
  if (statSync(entry).isFile()) return [entry];
  return readdirSync(entry, { recursive: true, withFileTypes: true })
    .filter((found) => found.isFile())
    .map((found) => path.join(found.parentPath, found.name))
    .sort();
}

function hashOf(files) {
  const hash = createHash('sha256');
  for (const file of files) hash.update(path.relative(root, file)).update(readFileSync(file));
  return hash.digest('hex');
}

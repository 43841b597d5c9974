import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { execute, fail, root, run } from './run.mjs';

// Plain JavaScript without a dependency: this runs before anything is installed, even on a Node.js that is too old.

/** Exits with a clear message on a Node.js that is too old. */
export function requireNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  fail(`Querywright needs Node.js 20.19 or newer; this is ${process.versions.node}`);
}

/** Installs the packages of a folder's package-lock.json, unless they are already installed. */
export async function ensureInstalled(folder = '.') {
  const stamp = path.join(root, folder, 'node_modules/.querywright-lock');
  const wanted = hashOf([path.join(root, folder, 'package-lock.json')]);
  if (readStamp(stamp) === wanted) return;
  // Even with NODE_ENV=production in the environment: the build tools are development dependencies.
  const install = ['ci', '--prefix', folder, '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'];
  console.info(`Installing ${path.join(folder, 'node_modules')} (once) …`);
  // Asking the registry about every package in npm's cache takes a fifth of the time. What npm remembers may be too old.
  if (!(await execute('npm', [...install, '--prefer-offline']))) await run('npm', install);
  writeFileSync(stamp, wanted);
}

/**
 * Puts the container image's Node.js first in PATH, from npm if this is another major version: what production runs is
 * what is tested. Where npm has no program for the machine, PATH stays.
 */
export async function preferImageNode({ version = process.versions.node, folder = 'testing/node' } = {}) {
  const major = readFileSync(path.join(root, '.nvmrc'), 'utf8').trim();
  if (version.startsWith(`${major}.`)) return;
  await ensureInstalled(folder);
  const programs = path.join(root, folder, 'node_modules/.bin');
  const { status } = spawnSync(path.join(programs, 'node'), ['--version']);
  if (status === 0) process.env.PATH = [programs, process.env.PATH].join(path.delimiter);
  else console.warn(`npm has no Node.js ${major} for this machine; testing on ${version}`);
}

/** The build script, its sources, and the stamp file that records their hash. */
export const product = {
  script: 'build.mjs',
  stamp: 'dist/.querywright-sources',
  sources: [
    ...['core', 'db', 'infra', 'providers', 'orders', 'emails', 'api', 'worker', 'ops', 'web', 'scripts'],
    ...['package-lock.json', 'tsconfig.json'],
  ],
};
export const sandbox = {
  script: 'build-sandbox.mjs',
  stamp: 'packages/sandbox/dist/.querywright-sources',
  sources: ['packages/sandbox', 'core', 'emails', 'scripts', 'package-lock.json', 'tsconfig.json'],
};

/** Builds the product, and the sandbox beside it, unless they are newer than every source. */
export async function ensureBuilt() {
  for (const build of [product, sandbox]) {
    if (readStamp(path.join(root, build.stamp)) === hashOfSources(build)) continue;
    console.info(`Building ${path.dirname(build.stamp)} …`);
    await run(process.execPath, [path.join(root, 'scripts', build.script)]);
  }
}

/** Records the sources of a finished build, so that the next start does not repeat it. */
export function writeStamp({ stamp }, builtFrom) {
  writeFileSync(path.join(root, stamp), builtFrom);
}

export function hashOfSources({ sources }) {
  return hashOf(sources.flatMap((entry) => filesIn(path.join(root, entry))));
}

function readStamp(file) {
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}

/** The source files in a folder, without dist/ and fonts/, which builds make. */
function filesIn(entry) {
  if (!existsSync(entry)) return [];
  if (statSync(entry).isFile()) return [entry];
  return readdirSync(entry, { recursive: true, withFileTypes: true })
    .filter((found) => found.isFile() && !/\.test\.tsx?$/.test(found.name))
    .map((found) => path.join(found.parentPath, found.name))
    .filter((file) => !/[\\/](?:dist|fonts|node_modules)[\\/]/.test(path.relative(root, file)))
    .sort();
}

function hashOf(files) {
  const hash = createHash('sha256');
  for (const file of files) hash.update(path.relative(root, file)).update(readFileSync(file));
  return hash.digest('hex');
}

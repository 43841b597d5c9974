import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { checkSync } from 'recheck';
import { parseSync } from 'vite';
import { root } from './lib/run.mjs';

// Checks that every regular expression of the product takes linear time for any input: with one that does not, a single
// request can stop the site.

const folders = ['core', 'db', 'infra', 'providers', 'orders', 'emails', 'api', 'worker', 'ops', 'web'];
const TIME_LIMIT_MS = 10_000;

const places = new Map();
for (const file of productFiles()) {
  const text = readFileSync(path.join(root, file), 'utf8');
  visit(parseSync(file, text).program, ({ regex, start }) => {
    const line = text.slice(0, start).split('\n').length;
    places.set(`/${regex.pattern}/${regex.flags}`, { ...regex, place: `${file}:${line}` });
  });
}

let problems = 0;
for (const [shown, { pattern, flags, place }] of places) {
  const { status, complexity } = checkSync(pattern, flags, { timeout: TIME_LIMIT_MS });
  if (status === 'safe') continue;
  problems++;
  console.error(`${place} ${shown}: ${complexity?.summary ?? 'cannot be judged'}`);
}
console.info(`${places.size} regular expressions: ${problems} problems`);
process.exit(problems === 0 ? 0 : 1);

function productFiles() {
  return execFileSync('git', ['ls-files', ...folders], { cwd: root, encoding: 'utf8' })
    .split('\n')
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file));
}

function visit(node, onRegex) {
  if (node === null || typeof node !== 'object') return;
  if (node.type === 'Literal' && node.regex) onRegex(node);
  for (const child of Object.values(node)) visit(child, onRegex);
}

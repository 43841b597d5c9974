import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './lib/run.mjs';

// Documents name no script, file or setting that is gone, and settings are documented where people look for them.

const problems = [];
const tracked = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
}).split('\n');
const documents = tracked.filter((file) => file === 'README.md' || /^docs\/.*\.md$/.test(file));
const scripts = Object.keys(JSON.parse(read('package.json')).scripts);
const rooms =
  'core|db|infra|providers|orders|emails|api|worker|ops|web|packages|scripts|testing|bench|e2e|docs';

for (const document of documents) {
  const text = read(document);
  for (const [, name] of text.matchAll(/npm run (?:--silent )?([\w:-]+)/g)) {
    if (!scripts.includes(name))
      problems.push(`${document} names the script ${name}, which package.json does not have`);
  }
  for (const [, file] of text.matchAll(new RegExp(`\`((?:${rooms})/[\\w./-]+\\.\\w+)\``, 'g'))) {
    if (!existsSync(path.join(root, file))) problems.push(`${document} names ${file}, which is not there`);
  }
  for (const [, target] of text.matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)/g)) {
    if (!existsSync(path.join(root, path.dirname(document), target)))
      problems.push(`${document} links to ${target}, which is not there`);
  }
}

const settings = [...read('infra/environment.ts').matchAll(/^ {2}([A-Z][A-Z_]+):/gm)].map(([, name]) => name);
for (const place of ['.env.example', 'README.md']) {
  const text = read(place);
  for (const name of settings) {
    if (name !== 'CRASH_AT' && !text.includes(name)) problems.push(`${place} does not document ${name}`);
  }
}

const { status } = spawnSync('npx', ['tsx', 'scripts/api-docs.mjs', '--check'], {
  cwd: root,
  stdio: 'ignore',
});
if (status !== 0) problems.push('docs/api.md is not current: npm run docs:api');

for (const problem of problems) console.error(problem);
console.info(`${documents.length} documents, ${settings.length} settings: ${problems.length} problems`);
process.exit(problems.length === 0 ? 0 : 1);

function read(file) {
  return readFileSync(path.join(root, file), 'utf8');
}

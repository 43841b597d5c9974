import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './lib/run.mjs';

// Checks that documents and comments name only scripts, files, links and tests that exist, and no document outside the
// repository, and that the settings are the same in the code, .env.example and docker-compose.yml.

const problems = [];
const tracked = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => file && existsSync(path.join(root, file)));
const documents = tracked.filter((file) => /^([A-Z]+|docs\/.*|packages\/.*|deploy\/.*)\.md$/.test(file));
const scripts = Object.keys(JSON.parse(read('package.json')).scripts);

for (const document of documents) checkDocument(document, read(document));
for (const document of ['docs/guarantees.md', 'docs/security.md']) checkNamedTests(document);
checkRequirements();
checkEvents();
checkSettings();
checkComments();
checkApiReference();

for (const problem of problems) console.error(problem);
console.info(`${documents.length} documents: ${problems.length} problems`);
process.exit(problems.length === 0 ? 0 : 1);

function checkDocument(document, text) {
  for (const [, name] of text.matchAll(/npm run (?:--silent )?([\w:-]+)/g)) {
    if (!scripts.includes(name)) problems.push(`${document} names the script ${name}, which does not exist`);
  }
  const folders =
    'core|db|infra|providers|orders|emails|api|worker|ops|web|packages|scripts|testing|bench|e2e|docs|deploy';
  for (const [, file] of text.matchAll(new RegExp(`\`((?:${folders})/[\\w./-]+\\.\\w+)\``, 'g'))) {
    if (!existsSync(path.join(root, file))) problems.push(`${document} names ${file}, which does not exist`);
  }
  for (const [, target] of text.matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)/g)) {
    if (!existsSync(path.join(root, path.dirname(document), target)))
      problems.push(`${document} links to ${target}, which does not exist`);
  }
}

/** Each test named as `file`: “name” is in that file. */
function checkNamedTests(document) {
  for (const [, file, names] of read(document).matchAll(/`([\w./-]+\.test\.tsx?)`:((?: “[^”]+”[,;]?)+)/g)) {
    if (!tracked.includes(file)) {
      problems.push(`${document} names ${file}, which does not exist`);
      continue;
    }
    const text = read(file).replaceAll("\\'", "'");
    for (const [, name] of names.matchAll(/“([^”]+)”/g)) {
      if (!text.includes(name))
        problems.push(`${document} names the test “${name}”, which ${file} does not have`);
    }
  }
}

/** Each event type that is read has a row in the guarantees, and no other has one. */
function checkEvents() {
  const document = 'docs/guarantees.md';
  const listed = names(read(document), /^\| `([a-zA-Z_-]+(?:\.[a-zA-Z_-]+)+)` \|/gm);
  const known = ['providers/stripe/events.ts', 'providers/paypal/events.ts'].flatMap((file) =>
    names(read(file), /^ {2}'([a-zA-Z_-]+(?:\.[a-zA-Z_-]+)+)':/gm),
  );
  for (const type of known) {
    if (!listed.includes(type)) problems.push(`${document} has no row for the event ${type}`);
  }
  for (const type of listed) {
    if (!known.includes(type)) problems.push(`${document} has a row for ${type}, which is not read`);
  }
}

/** Every requirement has a test or a reason. */
function checkRequirements() {
  const rows = read('docs/security.md').match(/^\| \d.*$/gm) ?? [];
  if (rows.length !== 42) problems.push(`docs/security.md has ${rows.length} groups of requirements, not 42`);
  for (const row of rows) {
    if (!/`[\w./-]+\.test\.tsx?`: “|Reason: /.test(row))
      problems.push(`docs/security.md gives no test and no reason for ${row.slice(2, 40)}`);
  }
}

function checkSettings() {
  const known = names(read('infra/environment.ts'), /^ {2}([A-Z][A-Z_]+):/gm);
  const example = names(read('.env.example'), /^#?([A-Z][A-Z_]+)=/gm);
  const composed = names(read('docker-compose.yml').split('services:')[0], /^ {4}([A-Z][A-Z_]+):/gm);
  const notInProduction =
    /^(SANDBOX_|DATA_DIR$|RATE_LIMITS$|CRASH_AT$|NODE_TLS_REJECT_UNAUTHORIZED$|LOG_FORMAT$|POSTGRES_|TAG$|REVISION$)/;
  for (const name of known) {
    const isUnlisted = name === 'CRASH_AT' || name === 'NODE_TLS_REJECT_UNAUTHORIZED';
    if (!isUnlisted && !example.includes(name)) problems.push(`.env.example lacks ${name}`);
    if (!notInProduction.test(name) && !composed.includes(name))
      problems.push(`docker-compose.yml lacks ${name}`);
  }
  for (const name of new Set([...example, ...composed])) {
    if (!notInProduction.test(name) && !known.includes(name)) problems.push(`${name} is set, but never read`);
  }
}

/** No file refers to a document outside the repository. */
function checkComments() {
  const outside =
    /\b(spec|design) §|\b(spec|design|reliability|brand|style|platform-notes)\.md|\bthe specification\b|(?<![\w-])shared\//;
  for (const file of tracked.filter((name) => /\.(ts|tsx|mjs|css|json|yml|md)$|Dockerfile$/.test(name))) {
    if (file === 'scripts/check-docs.mjs' || file === 'package-lock.json') continue;
    for (const [index, line] of read(file).split('\n').entries()) {
      if (outside.test(line))
        problems.push(`${file}:${index + 1} refers to a document outside the repository`);
    }
  }
}

function checkApiReference() {
  const { status } = spawnSync('npx', ['tsx', 'scripts/api-docs.mjs', '--check'], {
    cwd: root,
    stdio: 'ignore',
  });
  if (status !== 0) problems.push('docs/api.md is not current: npm run docs:api');
}

function names(text, pattern) {
  return [...text.matchAll(pattern)].map(([, name]) => name);
}

function read(file) {
  return readFileSync(path.join(root, file), 'utf8');
}

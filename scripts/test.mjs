import { existsSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { ensureInstalled, preferImageNode, requireNode } from './lib/prepare.mjs';
import { printTimes, runStages } from './lib/stages.mjs';
import { makeTempFolder } from './lib/temp-folder.mjs';

// `npm test` has eight minutes on two processors. `npm run test:all` runs every test, those with a queue on both
// backends; `npm run test:quick` runs what needs no build and no browser. The static checks come first and end the run
// if one fails; the others all run, and every failure is named at the end. All run on the container image's Node.js; the
// quick ones, and all with --own-node, on the machine's.

const quick = process.argv.includes('--quick');
const everything = process.argv.includes('--all');
const ownNode = process.argv.includes('--own-node');
const temporary = makeTempFolder();
process.env.TMPDIR = temporary;
// A dozen test runners start from the same files.
process.env.NODE_COMPILE_CACHE = path.join(temporary, 'compiled');
const cluster = path.join(temporary, 'cluster');
const tests = { passed: 0, failed: 0, skipped: [], failedNames: [] };
let redisFound = false;

const staticStages = [
  // Half the processor time: several checkers repeat much of their work, and tsc ends before collecting garbage pays.
  {
    ...stage('types', ({ program }) => program('tsc', '--noEmit', '--checkers', '1')),
    env: { GOGC: 'off' },
  },
  stage('lint', ({ program }) => program('npm', 'run', '--silent', 'lint')),
  stage('regular expressions', ({ program }) => program('node', 'scripts/check-regexes.mjs')),
  stage('documents', ({ program }) => program('node', 'scripts/check-docs.mjs')),
  stage('lock file', ({ program }) => program('node', 'scripts/check-lock.mjs')),
];
const buildStages = [
  stage(
    'build and sizes',
    async ({ program }) =>
      (await program('node', 'scripts/ensure-built.mjs')) &&
      (await program('node', 'scripts/check-budgets.mjs')),
  ),
  stage('PostgreSQL at hand', ({ program }) => program('tsx', 'testing/prepare-cluster.ts', cluster)),
  stage('Redis at hand', findRedis),
];
/** The tags are described in vitest.config.ts. */
const CORE = '--tags-filter=core';
const NOT_LONG = '--tags-filter=!long';
/** The integration tests of the queue itself: those that `npm test` runs on PostgreSQL as well as on Redis. */
const queueTests = [
  'infra/outbox',
  'infra/postgres-queue',
  'infra/queue',
  'ops/jobs',
  'orders/purchase',
  'worker/bundles',
  'worker/drain',
  'worker/early-jobs',
  'worker/retries',
];
// The longest first, so that none runs alone at the end; beside them those that wait most.
const allStages = () => [
  vitest('browser', 'e2e'),
  onRedis(vitest('integration on Redis', 'integration-redis')),
  vitest('integration on PostgreSQL', 'integration-postgres'),
  campaign('crashes', 'crash', '--runs', '8'),
  onRedis(faults('faults on Redis', 'redis')),
  faults('faults on PostgreSQL', 'postgres'),
  campaign('order model', 'model', '--runs', '300', '--seed', '1'),
  vitest('unit', 'unit'),
  campaign('fuzz', 'fuzz', '--requests', '3000', '--backend', 'postgres'),
  campaign('hostile traffic', 'hostile', '--short', '--backend', 'postgres'),
];
const defaultStages = () => [
  onRedis(vitest('integration on Redis', 'integration-redis', [NOT_LONG])),
  vitest('browser', 'e2e', [CORE]),
  vitest('unit', 'unit'),
  redisFound
    ? // Loading the product takes a worker as long as these tests.
      {
        ...vitest('the queue on PostgreSQL', 'integration-postgres', queueTests),
        env: { VITEST_MAX_WORKERS: '1' },
      }
    : vitest('integration on PostgreSQL', 'integration-postgres', [NOT_LONG]),
  faults('faults', 'postgres'),
];
const quickStages = () => [
  vitest('unit', 'unit'),
  vitest('a purchase on PostgreSQL', 'integration-postgres', ['orders/purchase']),
];
const testStages = quick ? quickStages : everything ? allStages : defaultStages;

requireNode();
await Promise.all([ensureInstalled(), ...(quick || ownNode ? [] : [preferImageNode()])]);
const started = Date.now();
// With more, the processors are just as busy, and a connection or a page may wait for seconds.
const atOnce = Math.max(2, availableParallelism());
const before = await runStages(quick ? staticStages : [...buildStages, ...staticStages], atOnce);
if (before.some(({ result }) => result === 'FAILED')) finish(before);
if (!quick) process.env.TEST_CLUSTER = cluster;
finish([...before, ...(await runStages(testStages(), atOnce))]);

function stage(name, check) {
  return { name, check };
}

/** A project's tests: all of them, or those that vitest's `filters` choose, by file or by one tag. */
function vitest(name, project, filters = []) {
  return stage(name, async ({ program }) => {
    const report = path.join(temporary, `${project}.json`);
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
    const passed = await program('vitest', 'run', '--project', project, ...reporters, ...filters);
    if (!existsSync(report)) return false;
    const { numPassedTests, numFailedTests, testResults } = JSON.parse(readFileSync(report, 'utf8'));
    const skipped = testResults.flatMap((file) => skippedOf(file, filters));
    tests.passed += numPassedTests;
    tests.failed += numFailedTests;
    tests.skipped.push(...skipped);
    tests.failedNames.push(...testResults.flatMap(failuresOf));
    // No test skips itself where something is missing; one that is skipped by hand must not land.
    return passed && numPassedTests > 0 && (skipped.length === 0 || !process.env.CI);
  });
}

function campaign(name, folder, ...args) {
  return stage(name, ({ program }) => program('tsx', `testing/${folder}/main.ts`, ...args));
}

function faults(name, backend) {
  return campaign(name, 'faults', '--orders', '40', '--backend', backend);
}

/** The failed tests of one file of a JSON report with the first lines of their messages, or why the file did not load. */
function failuresOf({ name, status, message, assertionResults }) {
  const file = path.relative(process.cwd(), name);
  const failed = assertionResults.filter((test) => test.status === 'failed');
  if (failed.length === 0) return status === 'failed' ? [failure(file, message)] : [];
  return failed.map((test) => failure(`${file} > ${test.fullName}`, test.failureMessages.join('\n')));
}

/** The tests of one file that were chosen and not run. */
function skippedOf({ name, assertionResults }, filters) {
  const unrun = assertionResults.filter(
    ({ status, tags }) => !['passed', 'failed'].includes(status) && isChosen(tags, filters),
  );
  return unrun.map(({ fullName }) => `${path.relative(process.cwd(), name)} > ${fullName}`);
}

function isChosen(tags, filters) {
  return (
    (!filters.includes(CORE) || tags.includes('core')) &&
    (!filters.includes(NOT_LONG) || !tags.includes('long'))
  );
}

function failure(title, message) {
  return [title, ...message.split('\n').slice(0, 12)].join('\n      ');
}

async function findRedis({ program, print }) {
  redisFound = await program('tsx', 'scripts/find-redis.ts');
  if (redisFound) return true;
  print('The Redis half is skipped, which is a failure where CI is set');
  return process.env.CI ? false : 'skipped';
}

function onRedis({ name, check }) {
  return stage(name, async (tools) => (redisFound ? check(tools) : 'skipped'));
}

function finish(stages) {
  printTimes(stages);
  console.info(`  in all ${((Date.now() - started) / 1000).toFixed(1)} s`);
  const failed = stages.filter(({ result }) => result === 'FAILED').map(({ name }) => name);
  if (failed.length > 0) console.info(`\nFAILED: ${failed.join(', ')}`);
  for (const name of tests.failedNames) console.info(`\n  ${name}`);
  const count = failed.length > 0 ? Math.max(1, tests.failed) : tests.failed;
  for (const name of tests.skipped) console.info(`\n  skipped: ${name}`);
  const skipped = tests.skipped.length > 0 ? `, ${tests.skipped.length} skipped` : '';
  console.info(`\n${tests.passed} passed, ${count} failed${skipped}`);
  process.exit(failed.length > 0 ? 1 : 0);
}

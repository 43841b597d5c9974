import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ensureBuilt, ensureInstalled, requireNode } from './lib/prepare.mjs';
import { execute } from './lib/run.mjs';

// `npm test`: every check, in the order in which they fail fastest. Stops at the first stage that fails.

const reports = mkdtempSync(path.join(tmpdir(), 'querywright-test-'));
const tests = { passed: 0, failed: 0, skipped: 0 };

const stages = [
  ['types', () => program('npx', 'tsc', '--noEmit')],
  ['lint', () => program('npm', 'run', '--silent', 'lint')],
  ['documents', () => program('node', 'scripts/check-docs.mjs')],
  ['lock file', () => program('node', 'scripts/check-lock.mjs')],
  ['build', () => ensureBuilt()],
  ['production', () => program('node', 'scripts/check-production.mjs')],
  ['sizes', () => program('node', 'scripts/check-budgets.mjs')],
  ['unit', () => vitest('unit')],
  ['integration on PostgreSQL', () => vitest('integration-postgres')],
  ['integration on Redis', () => withRedis(() => vitest('integration-redis'))],
  [
    'faults on PostgreSQL',
    () => program('npx', 'tsx', 'testing/faults/main.ts', '--orders', '40', '--backend', 'postgres'),
  ],
  [
    'faults on Redis',
    () =>
      withRedis(() =>
        program('npx', 'tsx', 'testing/faults/main.ts', '--orders', '40', '--backend', 'redis'),
      ),
  ],
  [
    'fuzz',
    () => program('npx', 'tsx', 'testing/fuzz/main.ts', '--requests', '3000', '--backend', 'postgres'),
  ],
  ['browser', () => vitest('e2e')],
];

requireNode();
await ensureInstalled();
for (const [name, check] of stages) {
  const started = Date.now();
  console.info(`\n── ${name}`);
  const passed = (await check()) ?? true;
  console.info(
    `── ${name}: ${passed ? 'passed' : 'FAILED'} in ${((Date.now() - started) / 1000).toFixed(1)} s`,
  );
  if (!passed) finish(1);
}
finish(0);

/** Runs the Redis half where a Redis can be had. Elsewhere it is reported as skipped, which in CI is a failure. */
async function withRedis(check) {
  if (await program('npx', 'tsx', 'testing/redis-check.ts')) return check();
  console.info('skipped: this half needs a Redis');
  return !process.env.CI;
}

function program(command, ...args) {
  return execute(command, args);
}

/** Runs one project of vitest.config.ts and counts its tests. */
async function vitest(project) {
  const report = path.join(reports, `${project}.json`);
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const passed = await program('npx', 'vitest', 'run', '--project', project, ...reporters);
  if (!existsSync(report)) return false;
  const { numPassedTests, numFailedTests, numPendingTests } = JSON.parse(readFileSync(report, 'utf8'));
  tests.passed += numPassedTests;
  tests.failed += numFailedTests;
  tests.skipped += numPendingTests;
  return passed && numPassedTests + numPendingTests > 0;
}

function finish(code) {
  rmSync(reports, { recursive: true, force: true });
  if (tests.skipped > 0) console.info(`\n${tests.skipped} skipped: see above for what they need`);
  const failed = code === 0 ? tests.failed : Math.max(1, tests.failed);
  console.info(`\n${tests.passed} passed, ${failed} failed`);
  process.exit(code);
}

import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const servers = ['db', 'infra', 'providers', 'orders', 'emails', 'api', 'worker', 'ops'];
/** Of each project that starts servers. Two of these run side by side. */
const maxWorkers = Math.max(2, availableParallelism());
/** The libraries' production builds, which the product runs with; React's development build takes twice as long per e-mail. */
const env = { NODE_ENV: 'production' };
const ignored = [...configDefaults.exclude, '.data/**', 'dist/**'];
const integration = {
  env,
  include: servers.map((folder) => `${folder}/**/*.integration.test.ts`),
  globalSetup: ['testing/servers.ts'],
  testTimeout: 120_000,
  hookTimeout: 240_000,
  // They wait more than they compute.
  maxWorkers: maxWorkers + 1,
};

const browser = {
  env,
  globalSetup: ['testing/servers.ts'],
  provide: { backend: 'postgres' as const },
  testTimeout: 240_000,
  hookTimeout: 240_000,
  maxWorkers,
};

/** The files that take longest, first: started last, they would run on alone. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const found = longest.findIndex((name) => moduleId.includes(name));
      return found < 0 ? longest.length : found;
    };
    return (await super.sort(files)).sort((one, other) => rank(one) - rank(other));
  }
}

const longest = [
  'e2e/site-pages',
  'e2e/site-states',
  'e2e/launcher',
  'e2e/site-header',
  'e2e/site-phone',
  'api/rolling-restart',
  'worker/crashes',
  'orders/paypal-captures',
  'worker/many-processes',
  'worker/outages',
  'api/payments/paypal.',
  'orders/second-payments',
  'providers/readable-answers',
];

export default defineConfig({
  // React's production build has no function for JSX with debugging information.
  oxc: { jsx: { development: false } },
  test: {
    exclude: ignored,
    setupFiles: ['testing/no-stray-errors.ts'],
    // npm run test:all runs all tests.
    tags: [
      { name: 'core', description: 'The only browser tests that npm test runs.' },
      { name: 'long', description: 'Integration tests that npm test leaves out.' },
    ],
    // The default of a second is too short while several stages share a slow machine.
    expect: { poll: { timeout: 15_000 } },
    // Loading the product costs more than most files' tests: the files of a worker share one module graph.
    isolate: false,
    // Fewer garbage collections, for processes that end after a few minutes.
    execArgv: ['--min-semi-space-size=32', '--max-semi-space-size=64', '--initial-old-space-size=512'],
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          testTimeout: 60_000,
          include: ['**/*.test.{ts,tsx,mjs}'],
          exclude: [...ignored, '**/*.integration.test.ts', 'e2e/**'],
        },
      },
      {
        extends: true,
        test: { name: 'integration-postgres', provide: { backend: 'postgres' }, ...integration },
      },
      {
        extends: true,
        test: { name: 'integration-redis', provide: { backend: 'redis' }, ...integration },
      },
      { extends: true, test: { name: 'e2e', include: ['e2e/**/*.test.ts'], ...browser } },
      { extends: true, test: { name: 'screens', include: ['testing/screens/*.screens.ts'], ...browser } },
    ],
  },
});

import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';

const servers = ['db', 'infra', 'providers', 'orders', 'emails', 'api', 'worker', 'ops'];
// Server tests mostly wait for a timer or another process, so more of them than cores can run.
const serverWorkers = Math.max(3, availableParallelism());
const integration = {
  include: servers.map((room) => `${room}/**/*.integration.test.ts`),
  globalSetup: ['testing/servers.ts'],
  testTimeout: 60_000,
  hookTimeout: 120_000,
  maxWorkers: serverWorkers,
};

export default defineConfig({
  test: {
    exclude: [...configDefaults.exclude, '.data/**', 'dist/**'],
    setupFiles: ['testing/no-stray-errors.ts'],
    // Loading the product costs more than most files' tests: the files of a worker share one module graph.
    isolate: false,
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          testTimeout: 20_000,
          include: ['**/*.test.{ts,tsx}'],
          exclude: [...configDefaults.exclude, '**/*.integration.test.ts', 'e2e/**', '.data/**', 'dist/**'],
        },
      },
      {
        extends: true,
        test: { name: 'integration-postgres', provide: { backend: 'postgres' }, ...integration },
      },
      { extends: true, test: { name: 'integration-redis', provide: { backend: 'redis' }, ...integration } },
      {
        extends: true,
        test: {
          name: 'e2e',
          include: ['e2e/**/*.test.ts'],
          globalSetup: ['testing/servers.ts'],
          provide: { backend: 'postgres' },
          testTimeout: 180_000,
          hookTimeout: 120_000,
          maxWorkers: serverWorkers,
        },
      },
    ],
  },
});

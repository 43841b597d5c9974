import { defineConfig } from 'vitest/config';

// The unit tests of the rules that Stryker mutates, and no others.
export default defineConfig({
  test: {
    setupFiles: ['testing/short-properties.ts'],
    include: [
      'core/**/*.test.ts',
      'providers/**/{events,raw-events,facts,refunds,capture-issues,stale-answer}.test.ts',
      'infra/retry.test.ts',
    ],
  },
});

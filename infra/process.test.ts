import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { startChild } from '../testing/child-process.ts';

const processModule = pathToFileURL(path.join(import.meta.dirname, 'process.ts')).href;

test.each([
  ['an exception that nobody catches', `setTimeout(() => { throw new Error('unforeseen') })`],
  ['a rejection that nobody handles', `void Promise.reject(new Error('unforeseen'))`],
])('%s is logged, closes the process and ends it with 1', async (_what, failure) => {
  const program = `
    import { endGracefully } from '${processModule}';
    const log = (fields, text) => console.info(text, fields.err?.message ?? '');
    endGracefully({
      logger: { info: log, fatal: log, error: log },
      config: { drainMs: 0 },
      shutdown: { isDraining: false },
      close: async () => console.info('closed'),
    });
    setInterval(() => {}, 1_000);
    ${failure};`;
  const child = startChild(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', program], {
    cwd: import.meta.dirname,
    env: { PATH: process.env.PATH },
  });
  expect(await child.untilExit()).toBe(1);
  expect(child.output()).toMatch(/unforeseen/);
  expect(child.output()).toContain('closed');
});

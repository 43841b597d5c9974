import { expect, test } from 'vitest';
import { execute } from './run.mjs';

test('a program that takes too long is ended, and has failed', async () => {
  let output = '';
  const onOutput = (text) => {
    output += text;
  };
  const succeeded = await execute('sh', ['-c', 'echo begun; sleep 60'], {
    onOutput,
    limitMs: 500,
  });
  expect(succeeded).toBe(false);
  expect(output).toMatch(/^begun\n\nended after .* minutes: sh -c /);
});

test('a program that ends in time is not disturbed', async () => {
  const onOutput = () => {};
  expect(await execute('true', [], { onOutput, limitMs: 10_000 })).toBe(true);
  expect(await execute('false', [], { onOutput, limitMs: 10_000 })).toBe(false);
});

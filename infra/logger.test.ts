import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { setImmediate as nextIteration } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { createLogger, messageOf } from './logger.ts';

async function writes(log: () => void): Promise<string[]> {
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  log();
  await nextIteration();
  const texts = write.mock.calls.map(([text]) => String(text));
  write.mockRestore();
  return texts;
}

async function written(log: () => void): Promise<string> {
  return (await writes(log)).join('');
}

test('a line is one JSON object, with its time in UTC and without secrets', async () => {
  const line = await written(() =>
    createLogger('web', { logLevel: 'info' }).info({ email: 'ada@example.com' }, 'webhook stored'),
  );
  expect(JSON.parse(line)).toMatchObject({
    level: 'info',
    process: 'web',
    msg: 'webhook stored',
    email: '[redacted]',
    time: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T.*Z$/),
  });
});

test('secrets are left out of whatever holds them, and of the fields of child loggers', async () => {
  const line = await written(() =>
    createLogger('web', { logLevel: 'info' })
      .child({ email: 'ada@example.com', requestId: 'r-1' })
      .info(
        {
          order: { id: 'o-1', buyer: { phone: '555 0100' } },
          rows: [{ id: 1, email: 'ada@example.com' }],
          deep: { a: { b: { c: { d: { email: 'ada@example.com' } } } } },
          message: { text: 'Hello' },
        },
        'asked',
      ),
  );
  expect(JSON.parse(line)).toMatchObject({
    email: '[redacted]',
    requestId: 'r-1',
    order: { id: 'o-1', buyer: { phone: '[redacted]' } },
    rows: [{ id: 1, email: '[redacted]' }],
    deep: { a: { b: { c: { d: '[redacted]' } } } },
    message: { text: '[redacted]' },
  });
});

test('an error’s message leaves out the query, however long', () => {
  const error = new Error(
    `update orders set ${'x'.repeat(1_000)} - canceling statement due to statement timeout`,
  );
  expect(messageOf(error)).toBe('canceling statement due to statement timeout');
});

test.each(['refund refused - ask the bank', 'Update the card - it has expired'])(
  'a message that is not a query’s stays whole: %s',
  (message) => {
    expect(messageOf(new Error(message))).toBe(message);
  },
);

test('what is logged stays as it was', async () => {
  const fields = { buyer: { email: 'ada@example.com' } };
  await written(() => createLogger('web', { logLevel: 'info' }).info(fields, 'asked'));
  expect(fields).toEqual({ buyer: { email: 'ada@example.com' } });
});

test('the lines of one turn of the event loop are written together', async () => {
  const logger = createLogger('web', { logLevel: 'info' });
  const [text, ...others] = await writes(() => {
    logger.info('first');
    logger.info('second');
  });
  expect(others).toEqual([]);
  expect(
    text
      ?.trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).msg),
  ).toEqual(['first', 'second']);
});

test('a process that ends at once has written its last line', () => {
  const script = `import { createLogger } from './infra/logger.ts';
    createLogger('web', { logLevel: 'info' }).fatal('cannot start');
    process.exit(1);`;
  const { stdout, status } = spawnSync(
    process.execPath,
    ['--import', 'tsx', '--input-type=module', '--eval', script],
    { cwd: path.join(import.meta.dirname, '..'), encoding: 'utf8' },
  );
  expect([JSON.parse(stdout).msg, status]).toEqual(['cannot start', 1]);
});

test('LOG_FORMAT=pretty writes the same line for people', async () => {
  const logger = createLogger('web', { logLevel: 'info', logFormat: 'pretty' });
  const line = await written(() =>
    logger.warn({ requestId: 'r-1', email: 'ada@example.com' }, 'webhook refused'),
  );
  expect(line).toMatch(
    /^\[\d\d:\d\d:\d\d\] WARN: webhook refused \{"requestId":"r-1","email":"\[redacted\]"\}\n$/,
  );
});

test('LOG_FORMAT=pretty shows where an error comes from', async () => {
  const logger = createLogger('web', { logLevel: 'info', logFormat: 'pretty' });
  const lines = await written(() => logger.error({ err: new Error('no such table') }, 'request failed'));
  expect(lines).toMatch(/ERROR: request failed *\n/);
  expect(lines).toMatch(/Error: no such table\n.*logger\.test\.ts/);
});

import { expect, test, vi } from 'vitest';
import { createLogger } from './logger.ts';

function written(log: () => void): string {
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  log();
  const lines = write.mock.calls.map(([line]) => String(line)).join('');
  write.mockRestore();
  return lines;
}

test('a line is one JSON object, with its time in UTC and without secrets', () => {
  const line = written(() =>
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

test('secrets are left out of whatever holds them, and of the fields of child loggers', () => {
  const line = written(() =>
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

test('what is logged stays as it was', () => {
  const fields = { buyer: { email: 'ada@example.com' } };
  written(() => createLogger('web', { logLevel: 'info' }).info(fields, 'asked'));
  expect(fields).toEqual({ buyer: { email: 'ada@example.com' } });
});

test('LOG_FORMAT=pretty writes the same line for people', () => {
  const logger = createLogger('web', { logLevel: 'info', logFormat: 'pretty' });
  const line = written(() => logger.warn({ requestId: 'r-1', email: 'ada@example.com' }, 'webhook refused'));
  expect(line).toMatch(
    /^\[\d\d:\d\d:\d\d\] WARN: webhook refused \{"requestId":"r-1","email":"\[redacted\]"\}\n$/,
  );
});

test('LOG_FORMAT=pretty shows where an error comes from', () => {
  const logger = createLogger('web', { logLevel: 'info', logFormat: 'pretty' });
  const lines = written(() => logger.error({ err: new Error('no such table') }, 'request failed'));
  expect(lines).toMatch(/ERROR: request failed *\n/);
  expect(lines).toMatch(/Error: no such table\n.*logger\.test\.ts/);
});

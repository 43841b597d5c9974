import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import net from 'node:net';
import { expect, test } from 'vitest';
import { within } from './deadline.ts';
import { isOutage } from './outage.ts';

test('what does not answer within its deadline is an outage', async () => {
  const error = await within(1, new Promise(() => {})).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ name: 'DeadlineExceeded', message: 'No answer within 1 ms' });
  expect(isOutage(error)).toBe(true);
});

test('an error that only mentions a deadline is none', () => {
  expect(isOutage(new Error('No answer within 1 ms'))).toBe(false);
});

test('a server whose Unix socket is gone is an outage, a missing file is not', async () => {
  const [unreachable] = await once(net.connect('/nowhere/.s.PGSQL.5432'), 'error');
  expect(isOutage(unreachable)).toBe(true);
  expect(isOutage(await readFile('/nowhere/file').catch((error: unknown) => error))).toBe(false);
});

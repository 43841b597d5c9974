import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterEach, expect, test, vi } from 'vitest';
import { freePort } from '../listen.ts';
import { startPostgres } from './server.ts';

const home = mkdtempSync(path.join(tmpdir(), 'querywright-recovery-'));
const folder = path.join(home, 'data');
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(home, { recursive: true, force: true });
});

const ROWS = 500_000;

test('waits while PostgreSQL recovers, however long it takes, unless start-up is aborted', async () => {
  const port = await freePort();
  const start = (onRecovery?: () => void, signal?: AbortSignal) =>
    startPostgres({
      folder,
      port,
      settings: { fsync: 'off' },
      ...(onRecovery && { onRecovery }),
      ...(signal && { signal }),
    });
  const server = await start();
  await query(server.url('postgres'), `create table filled as select generate_series(1, ${ROWS})`);
  await server.stop('SIGQUIT');

  const leaving = new AbortController();
  await expect(start(() => leaving.abort(), leaving.signal)).rejects.toThrow('PostgreSQL start aborted');

  const now = Date.now;
  const onRecovery = vi.fn(() => {
    vi.spyOn(Date, 'now').mockImplementation(() => now() + 3_600_000);
  });
  const recovered = await start(onRecovery);
  expect(onRecovery).toHaveBeenCalledOnce();
  const [{ count }] = await query(recovered.url('postgres'), 'select count(*)::int as count from filled');
  expect(count).toBe(ROWS);
  await recovered.stop('SIGQUIT');
});

test('keeps its shared memory in its folder, except on Windows', async () => {
  const server = await startPostgres({ folder, port: await freePort() });
  const segments = readdirSync(path.join(folder, 'pg_dynshmem'));
  await server.stop('SIGQUIT');

  expect(segments.length > 0).toBe(process.platform !== 'win32');
});

async function query(connectionString: string, text: string) {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

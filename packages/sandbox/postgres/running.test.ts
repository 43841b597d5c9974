import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { claimDataFolder } from '../launcher/data-folder.ts';
import { findRunningDatabase, findRunningPorts } from './running.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'querywright-data-'));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('finds the database of a running npm start by its postmaster.pid', () => {
  mkdirSync(path.join(folder, 'postgres'), { recursive: true });
  writeFileSync(
    path.join(folder, 'postgres', 'postmaster.pid'),
    '4711\n/data/postgres\n1763712000\n40123\n\n127.0.0.1\n',
  );
  expect(findRunningDatabase(folder)).toBe('postgres://postgres@127.0.0.1:40123/querywright');
});

test('finds the ports of a running npm start, and none of one that has stopped', () => {
  const release = claimDataFolder({
    dataFolder: folder,
    port: 4420,
    sandboxPort: 4421,
    sandboxSmtpPort: 4422,
  });
  expect(findRunningPorts(folder)).toEqual({
    PORT: '4420',
    SANDBOX_PORT: '4421',
    SANDBOX_SMTP_PORT: '4422',
  });
  release();
  expect(findRunningPorts(folder)).toEqual({});
});

test('finds none if none runs', () => {
  expect(findRunningDatabase(folder)).toBeUndefined();
});

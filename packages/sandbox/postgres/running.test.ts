import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { findRunningDatabase } from './running.ts';

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

test('finds none where none runs', () => {
  expect(findRunningDatabase(folder)).toBeUndefined();
});

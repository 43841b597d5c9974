import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, inject, test } from 'vitest';

// The built command, in a separate process, as an operator starts it.

test('without a command lists every command', () => {
  const { status, stdout } = ops([]);
  expect(status).toBe(0);
  const manual = readFileSync(new URL('../docs/operations.md', import.meta.url), 'utf8');
  for (const call of [
    'doctor',
    'order create-from-provider <payment>',
    'order find [text...]',
    'order show <id>',
    'order reconcile <id>',
    'order decide <id> <status>',
    'order keep-payment <id> <payment>',
    'events list',
    'events show <id>',
    'events replay <id...>',
    'events backfill',
    'jobs failed',
    'jobs retry [id...]',
    'jobs discard <id...>',
    'emails failed',
    'emails resend <id>',
    'emails dismiss <id>',
    'transfers failed',
    'transfers dismiss <id>',
    'outbox status',
    'messages answered',
    'newsletter export',
    'person erase <e-mail>',
    'person export <e-mail>',
    'restore check',
    'retention',
    'reconcile',
    'sessions revoke',
    'webhooks check',
  ]) {
    expect(stdout).toContain(`  ${call}`);
    expect(manual).toContain(call.split(/ [<[]/)[0]);
  }
});

test('without a terminal nothing is sent or changed unless --yes is given', () => {
  const { status, stdout, stderr } = ops(['jobs', 'retry', '1']);
  expect(status).toBe(1);
  expect(stdout).toBe('');
  expect(stderr).toContain('Pass --yes');
});

test('an unreachable database is reported in one line', () => {
  const { status, stderr } = ops(['outbox', 'status'], { DATABASE_URL: 'postgres://localhost:9/none' });
  expect(status).toBe(1);
  expect(stderr.trim().split('\n')).toHaveLength(1);
});

function ops(words: string[], env: Record<string, string> = {}) {
  const root = path.resolve(import.meta.dirname, '..');
  return spawnSync(process.execPath, ['dist/ops/main.js', ...words], {
    cwd: root,
    encoding: 'utf8',
    timeout: 50_000,
    env: { PATH: process.env.PATH, COLUMNS: '200', DATABASE_URL: inject('postgresUrl'), ...env },
  });
}

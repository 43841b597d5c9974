import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { waitFor } from '../testing/wait-for.ts';
import { freshEnvironment, killNow, type Machine } from './launched.ts';

let machine: Machine;
beforeEach(async () => {
  machine = await freshEnvironment();
});
afterEach(() => machine.cleanUp());

const noProcessLeft = () =>
  waitFor('no process is left', () => {
    const left = machine.processes();
    if (left.length > 0) throw new Error(left.map(({ pid, command }) => `${pid} ${command}`).join('; '));
    return true;
  });
const runningPart = (script: string) => machine.processes().find(({ command }) => command.endsWith(script));

describe('npm start', () => {
  test('starts site, sandbox and inbox, and prints their addresses', { tags: ['core'] }, async () => {
    const started = machine.start();
    await started.untilReady();

    for (const address of [
      `${machine.site}/readyz`,
      `${machine.site}/`,
      `${machine.site}/pricing`,
      `${machine.site}/api/services`,
      `${machine.sandbox}/inbox`,
      `${machine.sandbox}/emails/`,
    ]) {
      expect([address, (await fetch(address)).status]).toEqual([address, 200]);
    }
    for (const address of [machine.site, machine.sandbox, `${machine.sandbox}/inbox`]) {
      expect(started.output()).toContain(address);
    }
    // The build before the tests has left its stamp.
    expect(started.output()).not.toContain('Building');
  });

  test('operators’ commands find its database, and its address for links', async () => {
    await machine.start().untilReady();
    const subscribed = await fetch(`${machine.site}/api/newsletter/subscribe`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'ada@example.com' }),
    });
    expect(subscribed.status).toBe(200);
    const link = await waitFor('the link to confirm', async () =>
      /http:[^\s"\\]+\/newsletter\/confirm\?[^\s"\\]+/.exec(
        await (await fetch(`${machine.sandbox}/inbox/messages`)).text(),
      ),
    );
    expect((await fetch(link[0], { method: 'POST' })).status).toBe(200);

    const exported = machine.operate('newsletter', 'export');
    expect(await exported.exitCode()).toBe(0);
    const unsubscribe = /http:[^"]+/.exec(exported.output())?.[0] ?? '';
    expect(unsubscribe).toContain(`${machine.site}/newsletter/unsubscribe?token=`);
    expect((await fetch(unsubscribe, { method: 'POST' })).status).toBe(200);

    const retried = machine.operate('jobs', 'retry', '--all');
    expect([await retried.exitCode(), retried.output().trim()]).toEqual([0, 'No failed jobs']);
  });

  test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('stops everything it started on %s', async (name) => {
    const started = machine.start();
    await started.untilReady();
    expect(machine.processes().length).toBeGreaterThan(4);

    started.signal(name);

    await noProcessLeft();
  });

  test('leaves nothing behind when stopped during start-up', async () => {
    const started = machine.start();
    await waitFor('the database is being set up', () => runningDatabase() ?? false);

    started.signal('SIGTERM');

    await noProcessLeft();
  });

  test('restarts a killed web, worker or database', async () => {
    const started = machine.start();
    await started.untilReady();

    for (const part of [
      () => runningPart('api/main.js'),
      () => runningPart('worker/main.js'),
      () => runningDatabase(),
    ]) {
      const before = part()?.pid ?? 0;
      expect(before).toBeGreaterThan(0);
      killNow(before);
      await waitFor('another process', () => (part()?.pid ?? before) !== before);
    }

    const isReady = async () => (await fetch(`${machine.site}/readyz`)).ok;
    await waitFor('the site is ready again', isReady, { timeoutMs: 20_000 });
    expect(started.output()).toContain('worker ended (SIGKILL); starting it again');
  });

  test('leaves nothing behind when the launcher is killed, and starts again after everything was killed', async () => {
    const first = machine.start();
    await first.untilReady();
    killNow(runningPart('scripts/start.mjs')?.pid ?? 0);
    await noProcessLeft();

    const second = machine.start();
    await second.untilReady();
    for (const { pid } of machine.processes()) killNow(pid);
    await noProcessLeft();

    await machine.start().untilReady();
    expect((await fetch(`${machine.site}/readyz`)).status).toBe(200);
  });

  test('refuses a port or a folder in use and names the setting', async () => {
    await machine.start().untilReady();

    const samePort = machine.start();
    expect(await samePort.exitCode()).toBe(1);
    expect(samePort.output()).toContain(`Port ${machine.env.PORT} is in use. Set PORT to another one`);

    const other = await freshEnvironment();
    const sameFolder = machine.start({ ...other.env, DATA_DIR: machine.env.DATA_DIR ?? '' });
    expect(await sameFolder.exitCode()).toBe(1);
    expect(sameFolder.output()).toMatch(/data folder .* \(DATA_DIR\) cannot be used: another `npm start`/);
    await other.cleanUp();
    expect((await fetch(`${machine.site}/readyz`)).status).toBe(200);
  });

  test('refuses invalid settings with one clear message', async () => {
    const file = path.join(machine.env.DATA_DIR ?? '', 'file');
    mkdirSync(path.dirname(file));
    writeFileSync(file, '');
    for (const [overrides, message] of [
      [{ PORT: 'abc' }, "PORT must be a port number between 1 and 65535, not 'abc'"],
      [{ SANDBOX_PORT: machine.env.PORT ?? '' }, `PORT and SANDBOX_PORT are both ${machine.env.PORT}`],
      [{ DATA_DIR: file }, `The data folder ${file} (DATA_DIR) cannot be used`],
      [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL: Invalid option'],
    ] as const) {
      const started = machine.start(overrides);
      expect(await started.exitCode()).toBe(1);
      expect(started.output()).toContain(message);
      expect(started.output()).not.toContain('    at ');
    }
    await noProcessLeft();
  });
});

function runningDatabase() {
  return machine.processes().find(({ command }) => /bin\/postgres -D/.test(command));
}

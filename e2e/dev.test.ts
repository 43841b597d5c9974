import { utimesSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchBrowser, openPage } from '../testing/browser.ts';
import { waitFor } from '../testing/wait-for.ts';
import { freshEnvironment, type Machine, type Started } from './launched.ts';

describe('npm run dev', () => {
  let machine: Machine;
  let started: Started;
  beforeAll(async () => {
    machine = await freshEnvironment();
    started = machine.develop();
    await started.untilReady();
  });
  afterAll(() => machine.cleanUp());

  test('renders pages on the server, as the build does, and passes calls on to the API', async () => {
    const home = await fetch(machine.site);
    expect(home.status).toBe(200);
    expect(await home.text()).toContain('<h1');
    expect((await fetch(`${machine.site}/nowhere`)).status).toBe(404);
    expect(await (await fetch(`${machine.site}/desk/orders`)).text()).toContain('features/desk/main.tsx');
    expect((await fetch(`${machine.site}/api/desk/me`)).status).toBe(404);
    const services = await fetch(`${machine.site}/api/services`);
    expect(await services.json()).toHaveLength(4);
  });

  test('a changed page is updated in the browser without a reload', async () => {
    const browser = await launchBrowser();
    try {
      const { page, problems } = await openPage(browser);
      const updates: string[] = [];
      page.on('websocket', (socket) =>
        socket.on('framereceived', ({ payload }) => void updates.push(String(payload))),
      );
      const loaded = page.waitForResponse((answer) => answer.url().includes('pages/about.tsx'));
      await page.goto(`${machine.site}/about`);
      await loaded;
      await waitFor('the hot reload connection', () => updates.some((frame) => frame.includes('connected')));
      await page.getByRole('link', { name: 'Log In' }).first().waitFor();
      await page.evaluate(() => Object.assign(window, { unchanged: true }));

      touch('web/pages/about.tsx');

      await waitFor('an update', () => updates.some((frame) => frame.includes('pages/about.tsx')));
      expect(await page.evaluate(() => 'unchanged' in window)).toBe(true);
      expect(problems.filter((problem) => problem.includes('ydrat'))).toEqual([]);
    } finally {
      await browser.close();
    }
  });

  test('a changed server source restarts the API', async () => {
    const starts = () => started.output().split('web ready').length;
    const before = starts();

    touch('api/services.ts');

    await waitFor('another start', () => starts() > before, { timeoutMs: 30_000 });
    await waitFor('an answer', async () => (await fetch(`${machine.site}/api/services`)).ok);
  });

  test('Ctrl-C stops everything', async () => {
    started.signal('SIGINT');
    await waitFor('nothing is left', () => machine.processes().length === 0, { timeoutMs: 30_000 });
  });
});

function touch(file: string): void {
  utimesSync(file, new Date(), new Date());
}

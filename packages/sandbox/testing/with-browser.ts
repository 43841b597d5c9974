import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { launchBrowser, startShop, type TestShop } from './browser.ts';
import { type RunningSandbox, startSandbox } from './sandbox.ts';

interface BrowserTest {
  sandbox: RunningSandbox;
  shop: TestShop;
  /** A new one for each test. */
  page: Page;
  /** The errors and warnings of the test's page. */
  complaints: string[];
}

/** A sandbox, a shop's page and a browser for the tests of one file. */
export function withBrowser(shopOf: (sandboxUrl: string) => { page: string; script: string }): BrowserTest {
  const running = {} as BrowserTest;
  let browser: Browser;
  beforeAll(async () => {
    running.sandbox = await startSandbox();
    const { url } = running.sandbox;
    const { page, script } = shopOf(url);
    running.shop = await startShop(url, page, script);
    browser = await launchBrowser();
  }, 60_000);
  beforeEach(async () => {
    const page = await browser.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(error.message));
    Object.assign(running, { page, complaints });
  });
  afterEach(() => running.page.close());
  afterAll(async () => {
    await browser?.close();
    await running.shop?.close();
    await running.sandbox?.close();
  });
  return running;
}

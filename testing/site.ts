import type { Browser } from 'playwright-core';
import { afterAll } from 'vitest';
import { launchBrowser } from './browser.ts';
import { type Shop, withShop } from './shop.ts';

let launched: Promise<Browser> | undefined;

/** One browser for all files of a worker; it ends with the worker. */
export function sharedBrowser(): Promise<Browser> {
  launched ??= launchBrowser();
  return launched;
}

/** The built site on its own shop, and a browser. The browser's pages and the shop close after the file's last test. */
export async function withSite({ worker = false } = {}): Promise<{ shop: Shop; browser: Browser }> {
  const shop = await withShop({ site: true, worker });
  const browser = await sharedBrowser();
  afterAll(() => Promise.all(browser.contexts().map((context) => context.close())));
  return { shop, browser };
}

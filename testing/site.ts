import type { Browser } from 'playwright-core';
import { afterAll } from 'vitest';
import { launchBrowser } from './browser.ts';
import { type Shop, startShop } from './shop.ts';

/** The built site on its own shop, and a browser. Both close after the file's last test. */
export async function withSite({ worker = false } = {}): Promise<{ shop: Shop; browser: Browser }> {
  const shop = await startShop({ site: true });
  if (worker) shop.startWorker();
  const browser = await launchBrowser();
  afterAll(async () => {
    await browser.close();
    await shop.close();
  });
  return { shop, browser };
}

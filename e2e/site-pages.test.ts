import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { complaintsOfAxe, desktop, launchBrowser, layoutShift, openPage, phone } from '../testing/browser.ts';
import { type Shop, startShop } from '../testing/shop.ts';

const addresses = [
  '/',
  '/about',
  '/services',
  '/services/database-audit',
  '/services/schema-design',
  '/services/optimization',
  '/services/migration-planning',
  '/pricing',
  '/contact',
  '/newsletter/confirm?token=example',
  '/newsletter/unsubscribe?token=example',
  '/success',
];

let shop: Shop;
let browser: Browser;
beforeAll(async () => {
  shop = await startShop({ site: true });
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  await shop?.close();
});

describe('every page', () => {
  test.each([
    ['a phone, light', { ...phone, colorScheme: 'light' as const }],
    ['a phone, dark', { ...phone, colorScheme: 'dark' as const }],
    ['a desktop, light', { ...desktop, colorScheme: 'light' as const }],
    ['a desktop, dark', { ...desktop, colorScheme: 'dark' as const }],
  ])(
    'on %s has nothing that axe or the console complains about, and nothing moves',
    async (_name, options) => {
      const { page, expectNone } = await openPage(browser, options);
      for (const address of addresses) {
        await page.goto(`${shop.url}${address}`, { waitUntil: 'networkidle' });
        expect(await complaintsOfAxe(page), address).toEqual([]);
        expect(await layoutShift(page), address).toBe(0);
      }
      expectNone();
      await page.context().close();
    },
  );

  test('fits a window of 320 px without scrolling sideways', async () => {
    const { page } = await openPage(browser, { viewport: { width: 320, height: 640 } });
    for (const address of addresses) {
      await page.goto(`${shop.url}${address}`, { waitUntil: 'networkidle' });
      expect(await overflow(page), address).toBe(0);
    }
    await page.context().close();
  });

  test('reads well without JavaScript: its heading, its text and its links are there', async () => {
    const { page } = await openPage(browser, { ...desktop, javaScriptEnabled: false });
    for (const address of addresses) {
      await page.goto(`${shop.url}${address}`);
      expect(await page.locator('h1').count(), address).toBe(1);
    }
    await page.goto(shop.url);
    expect(await page.getByRole('link', { name: 'Log In' }).isVisible()).toBe(true);
    await page.getByRole('link', { name: 'Start Your Project' }).click();
    await page.waitForURL('**/pricing');
    await page.context().close();
  });
});

test('an unknown address is 404 with the hint, and leads back', async () => {
  const { page } = await openPage(browser);
  const response = await page.goto(`${shop.url}/no/such/page`);
  expect(response?.status()).toBe(404);
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Page Not Found');
  expect(await page.locator('main').textContent()).toContain('add the page to the router');
  await page.getByRole('link', { name: 'Back to Home' }).click();
  await page.waitForURL(`${shop.url}/`);
  await page.context().close();
});

async function overflow(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}

import type { BrowserContextOptions } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import {
  axeViolations,
  axeViolationsInBothLooks,
  desktop,
  layoutShift,
  openHydrated,
  openPage,
  overflow,
  paintWithFonts,
  phone,
} from '../testing/browser.ts';
import { withSite } from '../testing/site.ts';

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

const { shop, browser } = await withSite();

describe('every page', () => {
  test(
    'on a phone, light and dark, has no axe finding, console error or layout shift',
    { tags: ['core'] },
    () => checkEveryPage(phone),
  );

  test('on a desktop, light and dark, has no axe finding, console error or layout shift', () =>
    checkEveryPage(desktop));

  test('fits a window of 320 px without scrolling sideways', async () => {
    const { page } = await openPage(browser, { viewport: { width: 320, height: 640 } });
    for (const address of addresses) {
      await openHydrated(page, `${shop.url}${address}`);
      expect(await overflow(page), address).toBe(0);
    }
    await page.context().close();
  });

  test('can be read at 200 % zoom, of the page and of the text alone', async () => {
    // A window of 1280 px at 200 % is one of 640 px with twice the pixels.
    const zoomed = await openPage(browser, { viewport: { width: 640, height: 400 }, deviceScaleFactor: 2 });
    const { page } = await openPage(browser, desktop);
    const settings = await page.context().newCDPSession(page);
    await settings.send('Page.setFontSizes', { fontSizes: { standard: 32 } });
    for (const address of addresses) {
      await openHydrated(zoomed.page, `${shop.url}${address}`);
      expect(await overflow(zoomed.page), `${address} zoomed`).toBe(0);
      await openHydrated(page, `${shop.url}${address}`);
      expect(await page.evaluate(() => getComputedStyle(document.documentElement).fontSize)).toBe('32px');
      expect(await overflow(page), `${address} with large text`).toBe(0);
    }
    await zoomed.page.context().close();
    await page.context().close();
  });

  test('does not animate when reduced motion is requested', async () => {
    const { page } = await openPage(browser, { ...phone, reducedMotion: 'reduce' });
    await openHydrated(page, shop.url);
    await page.locator('[data-seen]').scrollIntoViewIfNeeded();
    expect(await page.evaluate(() => document.getAnimations().length)).toBe(0);
    expect(await page.evaluate(() => getComputedStyle(document.documentElement).scrollBehavior)).toBe('auto');
    await page.context().close();
  });

  test('works without JavaScript: heading, text and links are rendered', { tags: ['core'] }, async () => {
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

test('buttons of every look are equally high, and keep an outline in forced colors', async () => {
  const { page } = await openPage(browser, { ...desktop, forcedColors: 'active' });
  await page.goto(`${shop.url}/pricing`);
  const buttons = page.getByRole('link', { name: /^Get Started with/ });
  const looks = await buttons.evaluateAll((links) =>
    links.map((link) => {
      const { borderTopColor, borderTopWidth } = getComputedStyle(link);
      return { height: link.getBoundingClientRect().height, borderTopColor, borderTopWidth };
    }),
  );
  expect(looks).toHaveLength(4);
  expect(new Set(looks.map(({ height }) => height)).size).toBe(1);
  for (const { borderTopColor, borderTopWidth } of looks) {
    expect(borderTopWidth).toBe('1px');
    expect(borderTopColor).not.toMatch(/, 0\)$/);
  }
  await page.context().close();
});

test('an unknown address is 404 with the hint and a link back', { tags: ['core'] }, async () => {
  const { page } = await openPage(browser);
  const response = await page.goto(`${shop.url}/no/such/page`);
  expect(response?.status()).toBe(404);
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Page Not Found');
  expect(await page.locator('main').textContent()).toContain('add the page to the router');
  await page.getByText("path = '/no/such/page'").waitFor();
  expect(await axeViolations(page)).toEqual([]);
  await page.getByRole('link', { name: 'Back to Home' }).click();
  await page.waitForURL(`${shop.url}/`);
  await page.context().close();
});

async function checkEveryPage(options: BrowserContextOptions): Promise<void> {
  const { page, expectNone } = await openPage(browser, options);
  await paintWithFonts(page);
  for (const address of addresses) {
    await openHydrated(page, `${shop.url}${address}`);
    expect(await axeViolationsInBothLooks(page), address).toEqual([]);
    expect(await layoutShift(page), address).toBe(0);
  }
  expectNone();
  await page.context().close();
}

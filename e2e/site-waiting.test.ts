import type { BrowserContextOptions } from 'playwright-core';
import { expect, test } from 'vitest';
import {
  accountMenu,
  axeViolations,
  desktop,
  holdRequests,
  openHydrated,
  openPage,
  phone,
  signInAs,
  untilInteractive,
} from '../testing/browser.ts';
import { withSite } from '../testing/site.ts';

const { shop, browser } = await withSite();

test('a slow call shows progress after 300 ms, and can be stopped after ten seconds without losing what was typed', async () => {
  const { page } = await openPage(browser, desktop);
  await page.clock.install();
  const release = await holdRequests(page, '**/api/contact');
  await page.goto(`${shop.url}/contact`);
  await page.getByLabel('Name').fill('Ada Lovelace');
  await page.locator('main').getByLabel('E-mail').fill('ada@example.com');
  await page.getByLabel('Message', { exact: true }).fill('Our replica lags.');
  await untilInteractive(page);
  await page.clock.pauseAt(Date.now() + 60_000);
  await page.getByRole('button', { name: 'Send Message' }).click();
  await page.getByRole('button', { name: 'Sending...' }).waitFor();
  const progress = page.getByRole('progressbar', { name: 'Loading' });
  await page.clock.runFor(290);
  expect(await progress.count()).toBe(0);
  await page.clock.runFor(20);
  await progress.waitFor();
  expect(await page.getByRole('button', { name: 'Stop waiting' }).count()).toBe(0);
  await page.clock.resume();

  await page.clock.fastForward(10_000);
  const stop = page.getByRole('button', { name: 'Stop waiting' });
  await stop.waitFor();
  expect(await axeViolations(page)).toEqual([]);
  await stop.click();

  await page.getByText('Failed to send message').first().waitFor();
  expect(await page.getByLabel('Name').inputValue()).toBe('Ada Lovelace');
  await page.getByRole('progressbar', { name: 'Loading' }).waitFor({ state: 'detached' });
  release();
  await page.context().close();
});

test('a page whose code does not load is shown as on its way, and offers a reload after ten seconds', async () => {
  const { page } = await openPage(browser, desktop);
  await page.clock.install();
  await openHydrated(page, `${shop.url}/about`);
  const release = await holdRequests(page, '**/assets/contact-*.js');
  const link = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Contact' });
  const opacity = () => link.evaluate((element) => getComputedStyle(element).opacity);
  expect(await opacity()).toBe('1');
  await link.click();
  await expect.poll(opacity).toBe('0.6');
  await page.getByRole('progressbar', { name: 'Loading' }).waitFor();
  await page.clock.fastForward(10_000);
  await page.getByRole('button', { name: 'Reload the page' }).waitFor();
  release();
  await page.unroute('**/assets/contact-*.js');
  await page.getByRole('heading', { name: 'Write to an engineer', level: 1 }).waitFor();
  expect(await opacity()).toBe('1');
  await page.context().close();
});

test('a truncated account label shows the full address: on hover after 700 ms, on keyboard focus at once', async () => {
  const { page } = await openPage(browser, desktop);
  await signInAs(shop, page, 'ops-team-without-a-name@customer.example.com');
  const tooltip = page.getByRole('tooltip');
  await accountMenu(page).waitFor();
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 1000);
  await accountMenu(page).hover();
  await page.clock.fastForward(600);
  expect(await tooltip.count()).toBe(0);
  await page.clock.fastForward(200);
  await tooltip.waitFor();
  expect(await tooltip.textContent()).toContain('ops-team-without-a-name@customer.example.com');
  await page.clock.resume();
  await page.mouse.move(10, 500, { steps: 5 });
  await tooltip.waitFor({ state: 'detached' });
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Contact' }).focus();
  await page.keyboard.press('Tab');
  await tooltip.waitFor();
  expect(await axeViolations(page)).toEqual([]);
  await page.context().close();
});

test('the menu button, an icon only, has a tooltip: on hover and on keyboard focus', async () => {
  const { page } = await openPage(browser, { viewport: { width: 800, height: 900 } });
  await openHydrated(page, shop.url);
  const tooltip = page.getByRole('tooltip');
  await page.getByRole('button', { name: 'Open menu' }).hover();
  await tooltip.filter({ hasText: 'Open menu' }).waitFor();
  await page.mouse.move(10, 500, { steps: 5 });
  await tooltip.waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'Querywright, home page' }).first().focus();
  await page.keyboard.press('Tab');
  await tooltip.waitFor();
  expect(await axeViolations(page)).toEqual([]);
  await page.keyboard.press('Enter');
  await page.getByRole('navigation', { name: 'Menu' }).getByRole('link', { name: 'Pricing' }).waitFor();
  await page.context().close();
});

test('a click on the menu button that begins as its tooltip arrives is not lost', async () => {
  const { page } = await openPage(browser, { viewport: { width: 800, height: 900 } });
  const release = await holdRequests(page, '**/assets/tooltip-*.js');
  await page.goto(shop.url);
  await untilInteractive(page);
  await page.evaluate(() => {
    const find = document.querySelector.bind(document);
    const click = () => {
      const pressed = find<HTMLElement>('[aria-controls="mobile-menu"]');
      setTimeout(() => pressed?.click(), 100);
    };
    document.querySelector = (selector: string) => {
      if (selector.includes(':hover')) queueMicrotask(click);
      return find(selector);
    };
  });
  release();
  await page.getByRole('navigation', { name: 'Menu' }).getByRole('link', { name: 'Pricing' }).waitFor();
  await page.context().close();
});

test('the tooltips’ code is loaded only where a pointer can hover over an icon', async () => {
  const isLoadedFor = async (options: BrowserContextOptions) => {
    const { page } = await openPage(browser, options);
    const files: string[] = [];
    page.on('request', (request) => files.push(request.url()));
    await openHydrated(page, shop.url);
    await page.context().close();
    return files.some((file) => file.includes('/tooltip-'));
  };
  await expect.poll(() => isLoadedFor(phone)).toBe(true);
  expect(await isLoadedFor({ ...phone, hasTouch: true, isMobile: true })).toBe(false);
  expect(await isLoadedFor(desktop)).toBe(false);
});

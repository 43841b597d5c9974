import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { desktop, openPage, phone } from '../testing/browser.ts';
import { withSite } from '../testing/site.ts';

const pages = [
  ['About', '/about', 'About'],
  ['Services', '/services', 'Database consulting services'],
  ['Contact', '/contact', 'Contact'],
  ['Pricing', '/pricing', 'Pricing'],
  ['Home', '/', 'Querywright:'],
] as const;

const { shop, browser } = await withSite();

describe('the menu', () => {
  test('leads to every page on a desktop, and each has its title', async () => {
    const { page, expectNone } = await openPage(browser, desktop);
    await page.goto(shop.url);
    for (const [label, address, title] of pages) {
      await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: label }).click();
      await arrive(page, address, title);
    }
    expectNone();
    await page.context().close();
  });

  test('opens, closes and leads to every page on a phone', async () => {
    const { page, expectNone } = await openPage(browser, phone);
    await page.goto(shop.url);
    const menu = page.getByRole('navigation', { name: 'Menu' });
    const content = await page.getByRole('main').boundingBox();
    await page.getByRole('button', { name: 'Open menu' }).click();
    await menu.getByRole('link', { name: 'Log In' }).waitFor();
    expect(await page.getByRole('main').boundingBox(), 'which the menu covers').toEqual(content);
    await page.keyboard.press('Escape');
    await menu.waitFor({ state: 'hidden' });
    for (const [label, address, title] of pages) {
      await page.getByRole('button', { name: 'Open menu' }).click();
      await menu.getByRole('link', { name: label }).click();
      await arrive(page, address, title);
      await menu.waitFor({ state: 'hidden' });
    }
    expectNone();
    await page.context().close();
  });

  test('can be skipped to the content', async () => {
    const { page } = await openPage(browser, desktop);
    await page.goto(`${shop.url}/about`);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('main');
    await page.context().close();
  });
});

describe('anchors come to rest below the header', () => {
  test.each([
    ['/#services', 'services'],
    ['/#contact', 'contact'],
    ['/pricing#payment', 'payment'],
    ['/pricing?service=design', 'payment'],
  ])('%s, on a cold load', async (address, id) => {
    const { page } = await openPage(browser, { ...desktop, reducedMotion: 'reduce' });
    await page.goto(`${shop.url}${address}`);
    await restsBelowHeader(page, id);
    await page.context().close();
  });

  test('View Services, Learn More and Contact Us, from where they are', async () => {
    const { page } = await openPage(browser, { ...phone, reducedMotion: 'reduce' });
    await page.goto(shop.url);
    await page.getByRole('link', { name: 'View Services' }).click();
    await restsBelowHeader(page, 'services');
    await page.getByRole('link', { name: 'Learn More' }).first().click();
    await restsBelowHeader(page, 'approach');
    await page.goto(`${shop.url}/success`);
    await page.getByRole('link', { name: 'Contact Us' }).click();
    await restsBelowHeader(page, 'contact');
    await page.context().close();
  });

  test('View Services, clicked before the page’s code has loaded', async () => {
    const { page, expectNone } = await openPage(browser, { ...desktop, reducedMotion: 'reduce' });
    let arrive = () => {};
    const arrived = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    await page.route('**/assets/home-*.js', (route) => arrived.then(() => route.continue()));
    const started = page.waitForResponse('**/assets/start-*.js');
    await page.goto(shop.url, { waitUntil: 'commit' });
    await (await started).finished();
    await page.getByRole('link', { name: 'View Services' }).click();
    await restsBelowHeader(page, 'services');
    arrive();
    await page.waitForLoadState('networkidle');
    await restsBelowHeader(page, 'services');
    expectNone();
    await page.context().close();
  });
});

test('input survives navigation within the page, also on a page that was fetched meanwhile', async () => {
  const { page } = await openPage(browser, { ...desktop, reducedMotion: 'reduce' });
  await page.goto(`${shop.url}/about`);
  await page.getByRole('link', { name: 'Log In' }).waitFor();
  // Without the pointer's approach, which would fetch the page's code ahead.
  await page
    .getByRole('navigation', { name: 'Main' })
    .getByRole('link', { name: 'Home' })
    .dispatchEvent('click');
  await page.waitForURL(`${shop.url}/`);
  await page.locator('#contact').getByLabel('Name').fill('Ada');
  await page.getByRole('link', { name: 'Learn More' }).first().click();
  await restsBelowHeader(page, 'approach');
  expect(await page.locator('#contact').getByLabel('Name').inputValue()).toBe('Ada');
  await page.context().close();
});

test('the checkout offers the plan chosen by address or by Get Started', { tags: ['core'] }, async () => {
  const { page } = await openPage(browser, desktop);
  const service = page.locator('#payment').getByRole('combobox');
  await page.goto(`${shop.url}/pricing?service=optimization`);
  await expect.poll(() => service.inputValue()).toBe('optimization');
  const services = (await (await fetch(`${shop.url}/api/services`)).json()) as { id: string; slug: string }[];
  const migration = services.find((entry) => entry.slug === 'migration');
  await page.goto(`${shop.url}/pricing?service=${migration?.id}`);
  await expect.poll(() => service.inputValue()).toBe('migration');
  await page.getByRole('link', { name: 'Get Started with Schema Design' }).click();
  await expect.poll(() => service.inputValue()).toBe('design');
  await page.goto(`${shop.url}/services`);
  await page.getByRole('link', { name: 'Get Started with Migration Planning' }).last().click();
  await page.waitForURL('**/pricing?service=migration#payment');
  await expect.poll(() => service.inputValue()).toBe('migration');
  await page.context().close();
});

test('a signed-out visitor is redirected from the enrollment to pricing, with the reason', async () => {
  const { page } = await openPage(browser, desktop);
  await page.goto(`${shop.url}/enroll`);
  await page.waitForURL('**/pricing');
  await page.getByText('Please log in to complete enrollment.').first().waitFor();
  await page.keyboard.press('F8');
  const region = page.getByRole('region', { name: /Notifications/ });
  expect(await region.evaluate((element) => element.contains(document.activeElement))).toBe(true);
  await page.context().close();
});

async function arrive(page: Page, address: string, title: string): Promise<void> {
  await page.waitForURL(`${shop.url}${address}`);
  await expect.poll(() => page.title()).toContain(title);
  await page.waitForLoadState('networkidle');
}

async function restsBelowHeader(page: Page, id: string): Promise<void> {
  const top = () =>
    page.evaluate(
      (anchor) => Math.round(document.getElementById(anchor)?.getBoundingClientRect().top ?? -1),
      id,
    );
  await expect.poll(top, { timeout: 5_000 }).toBeGreaterThanOrEqual(60);
  await expect.poll(top, { timeout: 5_000 }).toBeLessThanOrEqual(120);
}

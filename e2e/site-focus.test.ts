import type { Locator } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { desktop, openHydrated, openPage, phone } from '../testing/browser.ts';
import { withSite } from '../testing/site.ts';
import { waitFor } from '../testing/wait-for.ts';
import { continueToPayment, emailField, fillDetails } from './checkout-page.ts';

const { shop, browser } = await withSite({ worker: true });

describe('after a refused form, what is typed stays in its field', () => {
  test('on the contact page', async () => {
    const { page } = await openPage(browser, desktop);
    await openHydrated(page, `${shop.url}/contact`);
    await page.getByRole('button', { name: 'Send Message' }).click();
    const name = page.getByLabel('Name');
    await expect.poll(() => hasFocus(name)).toBe(true);
    await page.keyboard.type('Ada Lovelace', { delay: 20 });
    expect(await name.inputValue()).toBe('Ada Lovelace');
    const message = page.getByLabel('Message', { exact: true });
    await message.click();
    await page.keyboard.type('Our replica lags.', { delay: 20 });
    expect(await message.inputValue()).toBe('Our replica lags.');
    await page.getByRole('button', { name: 'Send Message' }).click();
    await expect.poll(() => hasFocus(page.locator('main').getByLabel('E-mail'))).toBe(true);
    await page.context().close();
  });

  test('in the checkout', async () => {
    const { page } = await openPage(browser, phone);
    await fillDetails(page, shop, { name: 'A\u0007', email: 'ada@x' });
    await continueToPayment(page).click();
    const name = page.getByLabel('Full name');
    await expect.poll(() => name.getAttribute('aria-invalid')).toBe('true');
    await expect.poll(() => emailField(page).getAttribute('aria-invalid')).toBe('true');
    await name.selectText();
    await page.keyboard.type('Ada Lovelace', { delay: 20 });
    expect(await name.inputValue()).toBe('Ada Lovelace');
    await page.context().close();
  });
});

test('the phone’s menu closes when the focus leaves it for what it covers', async () => {
  const { page } = await openPage(browser, { viewport: { width: 360, height: 740 } });
  await openHydrated(page, shop.url);
  await page.getByRole('button', { name: 'Open menu' }).click();
  const menu = page.getByRole('navigation', { name: 'Menu' });
  const last = menu.getByRole('link').last();
  await last.focus();
  await page.keyboard.press('Shift+Tab');
  expect(await menu.isVisible()).toBe(true);
  await last.focus();
  await page.keyboard.press('Tab');
  await menu.waitFor({ state: 'hidden' });
  expect(await isUncovered(page.locator(':focus'))).toBe(true);
  await page.context().close();
});

test('the phone’s menu closes when the page below it is pressed', async () => {
  const { page } = await openPage(browser, { viewport: { width: 360, height: 740 } });
  await openHydrated(page, shop.url);
  const menu = page.getByRole('navigation', { name: 'Menu' });
  await page.getByRole('button', { name: 'Open menu' }).click();
  await menu.click({ position: { x: 4, y: 4 } });
  expect(await menu.isVisible()).toBe(true);
  await page.mouse.click(180, 720);
  await menu.waitFor({ state: 'hidden' });
  await page.context().close();
});

test('the answer to a confirmed subscription takes the focus', async () => {
  const { page } = await openPage(browser, desktop);
  await page.goto(shop.url);
  await page.getByLabel('E-mail address').fill('focus@example.com');
  await page.getByRole('button', { name: 'Subscribe' }).click();
  await page.goto(await confirmationLink('focus@example.com'));
  await page.getByRole('button', { name: 'Confirm subscription' }).press('Enter');
  const heading = page.getByRole('heading', { name: 'You are on the list' });
  await heading.waitFor();
  await expect.poll(() => hasFocus(heading)).toBe(true);
  await page.context().close();
});

test('the state of an order is announced by one region that stays', async () => {
  const { page } = await openPage(browser, desktop);
  await page.route('**/api/orders/*', async (route) => {
    await page.locator('h1', { hasText: 'Loading order details...' }).waitFor();
    await page.locator('main [role=status]').evaluate((region) => region.setAttribute('data-first', ''));
    await route.continue();
  });
  await page.goto(`${shop.url}/success?orderId=00000000-0000-4000-8000-000000000000`);
  await page.getByRole('heading', { name: 'We cannot find this order' }).waitFor();
  const region = page.getByRole('status').filter({ hasText: 'We cannot find this order' });
  expect(await region.getAttribute('data-first')).toBe('');
  await page.context().close();
});

async function confirmationLink(address: string): Promise<string> {
  return waitFor('the confirmation link', async () => {
    const answer = await fetch(`${shop.sandbox.url}/inbox/messages?to=${address}`);
    const mails = (await answer.json()) as { text: string }[];
    const links = mails.flatMap(({ text }) => text.match(/http:\/\/[^\s<>]+/g) ?? []);
    return links.find((link) => new URL(link).pathname === '/newsletter/confirm');
  });
}

const hasFocus = (locator: Locator) => locator.evaluate((element) => element === document.activeElement);

/** Whether the middle of the element is what a finger there would touch. */
const isUncovered = (locator: Locator) =>
  locator.evaluate((element) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    return element.contains(document.elementFromPoint(left + width / 2, top + height / 2));
  });

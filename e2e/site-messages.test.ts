import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { desktop, launchBrowser, openPage, phone } from '../testing/browser.ts';
import { type Shop, startShop } from '../testing/shop.ts';

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

test('a message is sent from the contact page, the visitor is told, and the form is empty again', async () => {
  const { page, expectNone } = await openPage(browser, desktop);
  await page.goto(`${shop.url}/contact`);
  await page.getByLabel('Name').fill('Ada Lovelace');
  await page.locator('main').getByLabel('E-mail').fill('ada@example.com');
  await page.getByLabel('Message', { exact: true }).fill('Our replica lags.\nSince Monday.');
  await page.getByRole('button', { name: 'Send Message' }).click();
  await page.getByText('Message Sent!').first().waitFor();
  expect(await page.getByLabel('Name').inputValue()).toBe('');
  expect(await shop.db('contact_messages').select('message')).toEqual([
    { message: 'Our replica lags.\nSince Monday.' },
  ]);
  expectNone();
  await page.context().close();
});

test('missing fields are told beside them, and the first one gets the focus', async () => {
  const { page } = await openPage(browser, phone);
  await page.goto(`${shop.url}/#contact`);
  await page.locator('#contact').getByLabel('Name').fill('Ada');
  await page.getByRole('button', { name: 'Send Message' }).click();
  const email = page.locator('#contact').getByLabel('E-mail');
  await expect.poll(() => email.evaluate((field) => field === document.activeElement)).toBe(true);
  const described = await email.getAttribute('aria-describedby');
  expect(await page.locator(`[id="${described}"]`).textContent()).toContain('Please tell us where to reply');
  await page.context().close();
});

test('without a connection the visitor is told, and what was typed stays', async () => {
  const { page } = await openPage(browser, desktop);
  await page.goto(`${shop.url}/contact`, { waitUntil: 'networkidle' });
  await page.getByLabel('Message', { exact: true }).fill('A long story');
  await page.context().setOffline(true);
  await page.getByText('You are offline.').waitFor();
  await page.getByLabel('Name').fill('Ada');
  await page.locator('main').getByLabel('E-mail').fill('ada@example.com');
  await page.getByRole('button', { name: 'Send Message' }).click();
  await page.getByText('Failed to send message').first().waitFor();
  expect(await page.getByLabel('Message', { exact: true }).inputValue()).toBe('A long story');
  await page.context().close();
});

test('what is typed before the page has come to life is not lost', async () => {
  const { page } = await openPage(browser, desktop);
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/assets/start-*.js', async (route) => {
    await held;
    await route.continue();
  });
  await page.goto(`${shop.url}/contact`, { waitUntil: 'commit' });
  await page.getByLabel('Name').fill('Typed early');
  release();
  await page.getByRole('link', { name: 'Log In' }).first().waitFor();
  await page.getByRole('button', { name: 'Send Message' }).click();
  await page.getByText('Please tell us where to reply').waitFor();
  expect(await page.getByLabel('Name').inputValue()).toBe('Typed early');
  expect(await page.getByText('Please tell us your name').count()).toBe(0);
  await page.context().close();
});

test('the newsletter is subscribed to once, empty addresses do nothing', async () => {
  const { page, expectNone } = await openPage(browser, phone);
  await page.goto(shop.url);
  const address = page.getByLabel('E-mail address');
  const subscribe = page.getByRole('button', { name: 'Subscribe' });
  await subscribe.click();
  expect(await page.getByText('Subscription Failed').count()).toBe(0);
  await address.fill('ada@example.com');
  await subscribe.click();
  await page.getByText("You've been added to our newsletter.").first().waitFor();
  expect(await address.inputValue()).toBe('');
  expectNone();
  await page.context().close();
});

test('who is subscribed already is told so', async () => {
  const { page } = await openPage(browser, desktop);
  await shop.db('newsletter_subscriptions').insert({ email: 'grace@example.com', status: 'confirmed' });
  await page.goto(shop.url);
  await page.getByLabel('E-mail address').fill('grace@example.com');
  await page.getByRole('button', { name: 'Subscribe' }).click();
  await page.getByText('Subscription Failed').first().waitFor();
  await page.getByText('This email is already subscribed.').first().waitFor();
  await page.context().close();
});

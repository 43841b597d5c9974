import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { newsletterConfirmFor, newsletterUnsubscribeFor } from '../core/paths.ts';
import type { TokenPurpose } from '../infra/tokens.ts';
import { openPage, overflow, phone } from '../testing/browser.ts';
import { placeOrder, post } from '../testing/buyer.ts';
import { withSite } from '../testing/site.ts';

const { shop, browser } = await withSite();
const withoutScript = { ...phone, javaScriptEnabled: false };

test('a message is sent, and a page says so', { tags: ['core'] }, async () => {
  const { page } = await openPage(browser, withoutScript);
  await page.goto(`${shop.url}/contact`);
  await sendMessage(page, 'ada@example.com');
  await page.getByRole('heading', { name: 'Message Sent!' }).waitFor();
  expect(await shop.db('contact_messages').pluck('email')).toEqual(['ada@example.com']);
  await page.context().close();
});

test('a refused message is explained, and what was typed is still there', async () => {
  const { page } = await openPage(browser, withoutScript);
  await page.goto(`${shop.url}/contact`);
  await sendMessage(page, 'ada@b');
  await page.getByRole('heading', { name: 'Your message was not sent' }).waitFor();
  await page.getByText('Please enter a valid e-mail address.').waitFor();
  expect(await overflow(page)).toBe(0);
  await page.goBack();
  expect(await page.getByLabel('Name').inputValue()).toBe('Ada Lovelace');
  await page.context().close();
});

test('the newsletter is subscribed to', async () => {
  const { page } = await openPage(browser, withoutScript);
  await page.goto(shop.url);
  await page.getByLabel('E-mail address').fill('reader@example.com');
  await page.getByRole('button', { name: 'Subscribe' }).click();
  await page.getByRole('heading', { name: 'Subscribed!' }).waitFor();
  expect(await shop.db('newsletter_subscriptions').pluck('email')).toEqual(['reader@example.com']);
  await page.context().close();
});

test('the newsletter’s two links confirm and unsubscribe', async () => {
  const email = 'linked@example.com';
  await post(shop, '/api/newsletter/subscribe', { email });
  const { id } = await shop.db('newsletter_subscriptions').where({ email }).first('id');
  const status = () => shop.db('newsletter_subscriptions').where({ email }).pluck('status');
  const token = (purpose: TokenPurpose) => shop.api.tokens.sign(purpose, id, null);
  const { page } = await openPage(browser, withoutScript);

  await page.goto(shop.url + newsletterConfirmFor(token('newsletter-confirm')));
  await page.getByRole('button', { name: 'Confirm subscription' }).click();
  await page.getByRole('heading', { name: 'You are on the list' }).waitFor();
  expect(await status()).toEqual(['confirmed']);

  await page.goto(shop.url + newsletterUnsubscribeFor(token('newsletter-unsubscribe')));
  await page.getByRole('button', { name: 'Unsubscribe' }).click();
  await page.getByRole('heading', { name: 'You have left the newsletter' }).waitFor();
  expect(await status()).toEqual(['unsubscribed']);

  await page.goto(shop.url + newsletterConfirmFor('forged'));
  await page.getByRole('button', { name: 'Confirm subscription' }).click();
  await page.getByRole('heading', { name: 'This link no longer works' }).waitFor();
  await page.context().close();
});

test('the phone menu is open and its links work', async () => {
  const { page } = await openPage(browser, withoutScript);
  await page.goto(shop.url);
  const menu = page.getByRole('navigation', { name: 'Menu' });
  expect(await overflow(page)).toBe(0);
  await menu.getByRole('link', { name: 'Pricing' }).click();
  await page.waitForURL(`${shop.url}/pricing`);
  await page.context().close();
});

test('an order’s page shows its state', { tags: ['core'] }, async () => {
  const { orderId } = await placeOrder(shop);
  await shop.db('orders').where({ id: orderId }).update({ status: 'paid', paid_at: new Date() });
  const { page } = await openPage(browser, withoutScript);
  await page.goto(`${shop.url}/success?orderId=${orderId}`);
  await page.getByRole('heading', { name: 'Payment Successful!' }).waitFor();
  const lines = await page.locator('noscript p').allInnerTexts();
  for (const line of [`Order ID: ${orderId}`, 'Amount: $2,999.00', 'Status: Paid'])
    expect(lines).toContain(line);
  expect(await page.getByText('Loading order details...').isVisible()).toBe(false);
  await page.goto(`${shop.url}/success?orderId=%3Cimg%3E`);
  await page.getByRole('heading', { name: 'We cannot find this order' }).waitFor();
  await page.context().close();
});

test.each([
  ['/enroll', 'The enrollment form needs JavaScript.'],
  ['/account', 'Your account needs JavaScript.'],
])('%s says what it needs, and does not seem to load', async (address, notice) => {
  const { page } = await openPage(browser, withoutScript);
  await page.goto(shop.url + address);
  expect(await page.locator('main noscript p').innerText()).toBe(notice);
  expect(await page.getByText('Loading...').isVisible()).toBe(false);
  expect(await page.locator('main .skeleton').first().isVisible()).toBe(false);
  await page.context().close();
});

test('another site’s page cannot post a form', async () => {
  const answer = await fetch(`${shop.url}/api/contact`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'cross-site' },
    body: 'name=Eve&email=eve%40example.com&message=Hi',
  });
  expect(answer.status).toBe(403);
});

async function sendMessage(page: Page, email: string): Promise<void> {
  await page.getByLabel('Name').fill('Ada Lovelace');
  await page.locator('main').getByLabel('E-mail').fill(email);
  await page.getByLabel('Message', { exact: true }).fill('Our replica lags.');
  await page.getByRole('button', { name: 'Send Message' }).click();
}

import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import {
  axeViolations,
  desktop,
  holdRequests,
  openHydrated,
  openPage,
  phone,
  untilInteractive,
} from '../testing/browser.ts';
import { withSite } from '../testing/site.ts';
import { waitFor } from '../testing/wait-for.ts';

const { shop, browser } = await withSite();

test('a message is sent from the contact page, confirmed, and the form is cleared', {
  tags: ['core'],
}, async () => {
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

test('missing fields are reported beside them, and the first one gets the focus', {
  tags: ['core'],
}, async () => {
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

test('an address without a dot is refused beside its field, before the server is asked', async () => {
  const { page } = await openPage(browser, phone);
  await page.goto(`${shop.url}/contact`);
  await page.getByLabel('Name').fill('Ada');
  await page.locator('main').getByLabel('E-mail').fill('ada@b');
  await page.getByLabel('Message', { exact: true }).fill('Our replica lags.');
  await page.getByRole('button', { name: 'Send Message' }).click();
  await page.getByText('Please enter a valid e-mail address').waitFor();
  const address = page.getByLabel('E-mail address');
  await address.fill('ada@b');
  expect(await address.evaluate((input: HTMLInputElement) => input.checkValidity())).toBe(false);
  await page.context().close();
});

test('without a connection the visitor is informed, and the input stays', async () => {
  const { page } = await openPage(browser, desktop);
  await openHydrated(page, `${shop.url}/contact`);
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

test('a message that is not sent yet waits for the visitor who leaves and returns', async () => {
  const { page } = await openPage(browser, desktop);
  const message = page.getByLabel('Message', { exact: true });
  await openHydrated(page, `${shop.url}/contact`);
  await message.fill('A long story,\nwith “quotes” & more');
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'About' }).click();
  await page.waitForURL('**/about');
  await page.goto(`${shop.url}/contact`);
  await expect.poll(() => message.inputValue()).toBe('A long story,\nwith “quotes” & more');

  await page.getByLabel('Name').fill('Ada');
  await page.locator('main').getByLabel('E-mail').fill('waits@example.com');
  await page.getByRole('button', { name: 'Send Message' }).click();
  await page.getByText('Message Sent!').first().waitFor();
  await page.reload({ waitUntil: 'networkidle' });
  await untilInteractive(page);
  expect(await message.inputValue()).toBe('');
  await page.context().close();
});

test('input and clicks before hydration are not lost', async () => {
  const { page } = await openPage(browser, desktop);
  const release = await holdRequests(page, '**/assets/start-*.js');
  await page.goto(`${shop.url}/contact`, { waitUntil: 'commit' });
  await page.getByLabel('Name').fill('Typed early');
  await page.getByRole('button', { name: 'Send Message' }).click();
  release();
  await page.getByText('Please tell us where to reply').waitFor();
  expect(await page.getByLabel('Name').inputValue()).toBe('Typed early');
  expect(await page.getByText('Please tell us your name').count()).toBe(0);
  expect(page.url()).toBe(`${shop.url}/contact`);
  await page.context().close();
});

test('the newsletter subscribes once, and ignores empty addresses', { tags: ['core'] }, async () => {
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

test('an address without a dot is not sent for the newsletter: the browser reports it', async () => {
  const { page } = await openPage(browser, phone);
  const calls: string[] = [];
  page.on('request', (request) => calls.push(request.url()));
  await page.goto(shop.url);
  const address = page.getByLabel('E-mail address');
  await address.fill('ada@b');
  await page.getByRole('button', { name: 'Subscribe' }).click();
  expect(await address.evaluate((field: HTMLInputElement) => field.validity.patternMismatch)).toBe(true);
  await expect.poll(() => address.evaluate((field) => field === document.activeElement)).toBe(true);
  expect(calls.filter((url) => url.includes('/newsletter/subscribe'))).toEqual([]);
  await page.context().close();
});

test('a confirmed subscriber who subscribes again is recognized, and can unsubscribe', async () => {
  shop.startWorker();
  const { page } = await openPage(browser, desktop);
  await subscribe(page, 'grace@example.com', 'Subscribed!');
  await page.goto(await linkTo('grace@example.com', '/newsletter/confirm'));
  await page.getByRole('button', { name: 'Confirm subscription' }).click();
  await page.getByRole('heading', { name: 'You are on the list' }).waitFor();
  expect(await axeViolations(page)).toEqual([]);

  await subscribe(page, 'grace@example.com', 'Subscription Failed');
  await page.getByText('This email is already subscribed.').first().waitFor();

  await page.goto(await linkTo('grace@example.com', '/newsletter/unsubscribe'));
  await page.getByRole('button', { name: 'Unsubscribe' }).click();
  await page.getByRole('heading', { name: 'You have left the newsletter' }).waitFor();
  await page.context().close();
});

test('an invalid link says so', async () => {
  const { page } = await openPage(browser, phone);
  await page.goto(`${shop.url}/newsletter/confirm`);
  await page.getByRole('heading', { name: 'This link is incomplete' }).waitFor();
  await page.goto(`${shop.url}/newsletter/confirm?token=forged`);
  await page.getByRole('button', { name: 'Confirm subscription' }).click();
  await page.getByRole('heading', { name: 'This link no longer works' }).waitFor();
  expect(await axeViolations(page)).toEqual([]);
  await page.context().close();
});

async function subscribe(page: Page, email: string, notice: string): Promise<void> {
  await page.goto(shop.url);
  await page.getByLabel('E-mail address').fill(email);
  await page.getByRole('button', { name: 'Subscribe' }).click();
  await page.getByText(notice).first().waitFor();
}

/** The link to a page in the e-mails to this address, newest first. */
async function linkTo(address: string, pathname: string): Promise<string> {
  return waitFor(`an e-mail that links to ${pathname}`, async () => {
    const answer = await fetch(`${shop.sandbox.url}/inbox/messages?to=${address}`);
    const mails = (await answer.json()) as { text: string }[];
    const links = mails.flatMap(({ text }) => text.match(/http:\/\/[^\s<>]+/g) ?? []);
    return links.find((link) => new URL(link).pathname === pathname);
  });
}

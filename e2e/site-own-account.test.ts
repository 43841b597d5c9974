import { expect, test } from 'vitest';
import {
  accountMenu,
  axeViolations,
  desktop,
  openPage,
  overflow,
  payByCard,
  phone,
  signInAs,
} from '../testing/browser.ts';
import { withSite } from '../testing/site.ts';
import { cardNumber, continueToPayment, emailField } from './checkout-page.ts';

const { shop, browser } = await withSite({ worker: true });
const grace = 'Grace Hooper';
const nameless = 'ops-team-without-a-name@customer.example.com';
const oldFirefox = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0';

test('a client buys with name and e-mail filled in, and finds the order and its receipt in the account', async () => {
  const { page, expectNone } = await openPage(browser, desktop);
  await signInAs(shop, page, grace);
  await page.goto(`${shop.url}/pricing?service=design`);
  await expect.poll(() => page.getByLabel('Full name').inputValue()).toBe(grace);
  expect(await emailField(page).inputValue()).toContain('@');
  await continueToPayment(page).click();
  await cardNumber(page).waitFor();
  await payByCard(page);
  await page.getByRole('heading', { name: 'Payment Successful!' }).waitFor({ timeout: 20_000 });

  await accountMenu(page).click();
  await page.getByRole('menuitem', { name: 'Your account' }).click();

  await page.getByRole('heading', { level: 1, name: 'Your account' }).waitFor();
  const orders = page.getByRole('region', { name: 'Orders' });
  await orders.getByText('$4,999.00').waitFor();
  await orders.getByText('Paid').waitFor();
  expect(await axeViolations(page)).toEqual([]);
  await orders.getByRole('link', { name: 'Schema Design' }).click();
  await page.getByRole('heading', { name: 'Payment Successful!' }).waitFor();
  expectNone();
  await page.context().close();
});

test('a client sees where they are signed in, and signs one browser out', async () => {
  const here = await openPage(browser, { viewport: { width: 360, height: 800 } });
  const there = await openPage(browser, { ...desktop, userAgent: oldFirefox });
  await signInAs(shop, here.page, nameless);
  await signInAs(shop, there.page, nameless);
  await here.page.goto(`${shop.url}/account`);
  const sessions = here.page.getByRole('region', { name: 'Sessions' });
  await expect.poll(() => sessions.getByRole('listitem').count()).toBe(2);
  expect(await sessions.getByRole('listitem').first().innerText()).toMatch(
    /^Chrome on Linux\n+This browser\n/,
  );
  expect(await sessions.getByRole('listitem').last().innerText()).toMatch(/^Firefox on Windows\n+Last seen /);
  expect(await overflow(here.page)).toBe(0);
  for (const colorScheme of ['light', 'dark'] as const) {
    await here.page.emulateMedia({ colorScheme });
    expect(await axeViolations(here.page), colorScheme).toEqual([]);
  }

  await sessions.getByRole('button', { name: 'Sign out Firefox on Windows' }).click();

  await sessions.getByText('Signed out: Firefox on Windows.').waitFor();
  expect(await sessions.getByRole('listitem').count()).toBe(1);
  expect(await sessions.getByRole('list').evaluate((list) => list === document.activeElement)).toBe(true);
  await there.page.goto(`${shop.url}/account`);
  await there.page.getByText('Log in to see your orders').waitFor();
  await here.page.reload();
  await expect.poll(() => sessions.getByRole('listitem').count()).toBe(1);
  here.expectNone();
  await here.page.context().close();
  await there.page.context().close();
});

test('sessions that failed to load can be retried, and signing out everywhere still works', async () => {
  const { page } = await openPage(browser, phone);
  await signInAs(shop, page, nameless);
  await page.route('**/api/account/sessions', (route) => route.fulfill({ status: 503, json: {} }));
  await page.goto(`${shop.url}/account`);
  const sessions = page.getByRole('region', { name: 'Sessions' });
  await sessions.getByText('The list could not be loaded.').waitFor();
  expect(await sessions.getByRole('button', { name: 'Sign out everywhere' }).isVisible()).toBe(true);
  await page.unroute('**/api/account/sessions');
  await sessions.getByRole('button', { name: 'Try again' }).click();
  await sessions.getByText('This browser').waitFor();
  await page.context().close();
});

test('signing out everywhere signs out another browser too', async () => {
  const here = await openPage(browser, phone);
  const there = await openPage(browser, desktop);
  await signInAs(shop, here.page, grace);
  await signInAs(shop, there.page, grace);
  await here.page.goto(`${shop.url}/account`);
  const signOut = here.page.getByRole('button', { name: 'Sign out everywhere' });
  await signOut.waitFor();
  expect(await overflow(here.page)).toBe(0);
  await signOut.click();
  await here.page.waitForURL(`${shop.url}/`);
  await here.page.getByText('You are signed out in all browsers.').first().waitFor();
  await there.page.goto(`${shop.url}/account`);
  await there.page.getByText('Log in to see your orders').waitFor();
  await here.page.context().close();
  await there.page.context().close();
});

test('a signed-out visitor is asked to log in, and returns', async () => {
  const { page, expectNone } = await openPage(browser, phone);
  await page.goto(`${shop.url}/account`);
  const logIn = page.locator('main').getByRole('link', { name: 'Log in' });
  await logIn.waitFor();
  expect(await axeViolations(page)).toEqual([]);
  await logIn.click();
  await page.getByRole('button', { name: `Continue as ${grace}` }).click();
  await page.waitForURL(`${shop.url}/account`);
  await page.getByRole('region', { name: 'Orders' }).waitFor();
  expectNone();
  await page.context().close();
});

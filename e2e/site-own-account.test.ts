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
  await there.page.goto(`${shop.url}/account`);
  await there.page.getByText('Log in to see your orders').waitFor();
  await here.page.context().close();
  await there.page.context().close();
});

test('a visitor who is not signed in is asked to log in, and comes back', async () => {
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

import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { revokeSessions } from '../infra/user-sessions.ts';
import {
  accountMenu,
  axeViolations,
  desktop,
  openPage,
  payByCard,
  phone,
  signInAs,
} from '../testing/browser.ts';
import { withSite } from '../testing/site.ts';

const { shop, browser } = await withSite({ worker: true });

const ada = 'Ada Lovett';
const grace = 'Grace Hooper';
const nameless = 'ops-team-without-a-name@customer.example.com';
const answers = {
  'Company name': 'Lovett & Daughters',
  'Your role': 'CTO',
  'Phone number': '+1 415 555 0199',
  'Primary use case': 'Ledgers on one PostgreSQL primary, and a report that takes all night.',
  'Compliance needs': 'SOC 2, and “GDPR” for <Europe>',
};

test('sign-in from the header returns to the same page; sign-out works too', { tags: ['core'] }, async () => {
  const { page, expectNone } = await openPage(browser, desktop);
  await page.goto(`${shop.url}/services/schema-design`);
  await signIn(page, ada);
  await page.waitForURL(`${shop.url}/services/schema-design`);
  const picture = accountMenu(page).locator('img');
  await expect.poll(() => picture.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBeGreaterThan(0);
  await accountMenu(page).click();
  expect(await page.getByRole('menuitem').allTextContents()).toEqual([
    'ada.lovett@example.com',
    'Your account',
    'Log out',
  ]);
  expect(await page.getByRole('menuitem').first().isDisabled()).toBe(true);
  await page.getByRole('menuitem', { name: 'Log out' }).click();
  await page.waitForURL(`${shop.url}/`);
  await page.getByRole('banner').getByRole('link', { name: 'Log In' }).waitFor();
  expect(await accountMenu(page).count()).toBe(0);
  expect(await page.context().cookies(shop.url)).toEqual([]);
  expectNone();
  await page.context().close();
});

test('choosing a plan before enrolling leads through the enrollment to its purchase', {
  tags: ['core'],
}, async () => {
  const { page, expectNone } = await openPage(browser, desktop);
  await page.goto(`${shop.url}/pricing`);
  await signIn(page, ada);
  await page.waitForURL(`${shop.url}/pricing`);
  await accountMenu(page).waitFor();
  await page.getByRole('link', { name: 'Get Started with Optimization Consulting' }).click();
  await page.waitForURL('**/enroll');

  await page.getByRole('button', { name: 'Complete Enrollment' }).click();
  await page.getByText('Company name must be at least 2 characters').waitFor();
  expect(await page.getByLabel('Company name').evaluate((field) => field === document.activeElement)).toBe(
    true,
  );
  await fillIn(page);
  expect(await page.locator('[aria-invalid=true]').count(), 'checked again at every change').toBe(0);
  await page.getByLabel('Team size').selectOption({ label: '51-200 employees' });
  await page.getByRole('button', { name: 'Complete Enrollment' }).click();

  await page.waitForURL('**/pricing?service=optimization');
  await page.getByText('Enrollment completed').first().waitFor();
  await page.getByText('Your business information has been saved successfully.').first().waitFor();
  const service = page.locator('#payment').getByLabel('Service');
  await expect.poll(() => service.inputValue()).toBe('optimization');
  expect(await userOf('person-pending')).toMatchObject({
    enrollment_status: 'completed',
    company_name: answers['Company name'],
    compliance_needs: answers['Compliance needs'],
    team_size: '51-200',
  });

  await page.getByLabel('Full name').fill('Ada Lovett');
  await page.locator('#payment').getByLabel('E-mail').fill('ada.lovett@example.com');
  await page.getByRole('button', { name: 'Continue to Payment' }).click();
  await payByCard(page);
  await page.getByRole('heading', { name: 'Payment Successful!' }).waitFor({ timeout: 20_000 });
  const id = new URL(page.url()).searchParams.get('orderId');
  const { user_id } = await shop.db('orders').where({ id }).first('user_id');
  expect(user_id).toBe((await userOf('person-pending')).id);
  await accountMenu(page).waitFor();
  expectNone();
  await page.context().close();
});

test('a service page leads a client without enrollment to it, too', async () => {
  const { page, expectNone } = await openPage(browser, desktop);
  await page.goto(`${shop.url}/services/optimization`);
  await signIn(page, nameless);
  await accountMenu(page).waitFor();
  await page.getByRole('main').getByRole('link', { name: 'Get Started' }).first().click();
  await page.waitForURL('**/enroll');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.waitForURL('**/pricing');
  expectNone();
  await page.context().close();
});

test('an enrolled client goes straight to the payment, and can edit the answers', async () => {
  const { page, expectNone } = await openPage(browser, phone);
  await page.goto(`${shop.url}/pricing`);
  await page.getByRole('button', { name: 'Open menu' }).click();
  await signIn(page, grace, 'Menu');
  await page.waitForURL(`${shop.url}/pricing`);
  await page.getByRole('link', { name: 'Get Started with Schema Design' }).click();
  await page.waitForURL(`${shop.url}/pricing?service=design#payment`);

  await page.goto(`${shop.url}/enroll`);
  const company = page.getByLabel('Company name');
  await expect.poll(() => company.inputValue()).toBe('Hooper Logistics');
  expect(await page.getByLabel('Team size').inputValue()).toBe('51-200');
  await company.fill('Hooper Freight');
  await page.getByRole('button', { name: 'Complete Enrollment' }).click();
  await page.waitForURL(`${shop.url}/pricing`);
  expect(await userOf('person-completed')).toMatchObject({ company_name: 'Hooper Freight' });

  await page.goto(`${shop.url}/enroll`);
  await company.fill('Something else');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.waitForURL(`${shop.url}/pricing`);
  await page.goto(`${shop.url}/enroll`);
  await expect
    .poll(() => company.inputValue(), { message: 'canceled means forgotten' })
    .toBe('Hooper Freight');

  await page.getByRole('button', { name: 'Open menu' }).click();
  await page.getByRole('navigation', { name: 'Menu' }).getByRole('link', { name: 'Log out' }).click();
  await page.waitForURL(`${shop.url}/`);
  expectNone();
  await page.context().close();
});

describe('when the session ends in the middle of the form', () => {
  test('nothing typed is lost: sign in again, return, continue', async () => {
    const { page } = await openPage(browser, desktop);
    await page.goto(shop.url);
    await signIn(page, nameless);
    await page.goto(`${shop.url}/enroll`);
    await fillIn(page);
    await signOutEverywhere('person-nameless');
    await page.getByRole('button', { name: 'Complete Enrollment' }).click();
    await page.getByText('Your session has ended.').waitFor();
    expect(await page.getByLabel('Company name').inputValue()).toBe(answers['Company name']);

    // The provider still knows who this is, and asks nothing.
    const back = page.waitForResponse('**/api/callback?*');
    await page.getByRole('link', { name: 'log in again' }).click();
    await back;
    for (const [label, text] of Object.entries(answers)) {
      await expect.poll(() => page.getByLabel(label).inputValue()).toBe(text);
    }
    await page.getByRole('button', { name: 'Complete Enrollment' }).click();
    await page.getByText('Enrollment completed').first().waitFor();
    await page.context().close();
  });

  test('the next person at this computer sees nothing of it', async () => {
    const { page } = await openPage(browser, desktop);
    await page.goto(shop.url);
    await signIn(page, nameless);
    await page.goto(`${shop.url}/enroll`);
    await page.getByLabel('Company name').fill('A secret merger');
    await page.goto(`${shop.url}/api/logout`);
    await page.waitForURL(`${shop.url}/`);
    await signIn(page, grace);
    await page.goto(`${shop.url}/enroll`);
    await page.getByLabel('Company name').waitFor();
    expect(await page.getByLabel('Company name').inputValue()).not.toBe('A secret merger');
    await page.context().close();
  });
});

test('a client whose session cannot be read is not treated as a guest, nor given an empty form', async () => {
  const { page } = await openPage(browser, phone);
  await signInAs(shop, page, grace);
  for (const call of ['**/api/auth/user', '**/api/enrollment']) {
    await page.route(call, (route) => route.fulfill({ status: 503, json: { message: 'Not now' } }));
    await page.goto(`${shop.url}/enroll`);
    await page.getByRole('heading', { name: 'Your account cannot be reached' }).waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await page.unroute(call);
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect.poll(() => page.getByLabel('Company name').inputValue()).toMatch(/^Hooper/);
  }
  await page.context().close();
});

test('canceling at the provider returns to the same page, signed out', async () => {
  const { page, expectNone } = await openPage(browser, desktop);
  await page.goto(`${shop.url}/about`);
  await page.getByRole('banner').getByRole('link', { name: 'Log In' }).click();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.waitForURL(`${shop.url}/about`);
  await page.getByRole('banner').getByRole('link', { name: 'Log In' }).waitFor();
  expectNone();
  await page.context().close();
});

test('a failed sign-in shows a page with a way forward', async () => {
  const { page } = await openPage(browser, phone);
  await page.goto(`${shop.url}/api/callback?code=code&state=forgotten`);
  await page.getByRole('heading', { name: 'Sign-in failed' }).waitFor();
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await axeViolations(page), colorScheme).toEqual([]);
  }
  await page.getByRole('link', { name: 'Sign in again' }).click();
  await page.getByRole('button', { name: `Continue as ${grace}` }).click();
  await page.waitForURL(`${shop.url}/`);
  await page.context().close();
});

/** From the header, or on a phone from the open menu. */
async function signIn(page: Page, name: string, menu = 'banner'): Promise<void> {
  const place = menu === 'banner' ? page.getByRole('banner') : page.getByRole('navigation', { name: menu });
  await place.getByRole('link', { name: 'Log In' }).click();
  await page.getByRole('button', { name: `Continue as ${name}` }).click();
}

async function fillIn(page: Page): Promise<void> {
  for (const [label, text] of Object.entries(answers)) await page.getByLabel(label).fill(text);
}

async function signOutEverywhere(subject: string): Promise<void> {
  const { id } = await userOf(subject);
  expect(await revokeSessions({ ...shop.config, db: shop.db }, id)).toBeGreaterThan(0);
}

async function userOf(subject: string) {
  return shop.db('users').where({ subject }).first();
}

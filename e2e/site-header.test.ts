import type { BrowserContextOptions, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import {
  accountMenu,
  axeViolationsInBothLooks,
  desktop,
  holdRequests,
  layoutShift,
  openHydrated,
  openPage,
  paintWithFonts,
  phone,
  signInAs,
} from '../testing/browser.ts';
import { withSite } from '../testing/site.ts';

// The header, its menu and the mobile menu in the three states.
const { shop, browser } = await withSite();

const grace = 'Grace Hooper';
const nameless = 'ops-team-without-a-name@customer.example.com';

const sizes: [string, BrowserContextOptions][] = [
  ['a phone', phone],
  ['a desktop', desktop],
];
// Without a picture the first letter stands before the label.
const people: [string, string | undefined, string[]][] = [
  ['a visitor', undefined, ['Log In', 'Get Started']],
  ['somebody with a name and a picture', grace, ['Grace']],
  ['somebody without either', nameless, [`O${nameless}`]],
];
const cases = sizes.flatMap(([size, options]) =>
  people.map(([who, name, actions]) => [who, size, name, actions, options] as const),
);

test.each(cases)(
  '%s never sees the wrong header on %s, and nothing shifts',
  async (_who, _size, name, actions, options) => {
    const onPhone = options === phone;
    const { page, expectNone } = await openPage(browser, options);
    if (name) await signInAs(shop, page, name);
    await paintWithFonts(page);
    await page.addInitScript(watchHeader);
    for (const address of ['/', '/services/database-audit', '/pricing', ...(name ? ['/enroll'] : [])]) {
      if (name) await openWithLateSession(page, `${shop.url}${address}`);
      else await openHydrated(page, `${shop.url}${address}`);
      if (!onPhone) await (name ? accountMenu(page) : loginLink(page)).waitFor();
      await untilFramesAreSeen(page);
      expect(await seenInHeader(page), `${address}, from the first frame on`).toEqual(onPhone ? [] : actions);
      expect(await layoutShift(page), address).toBe(0);
    }
    expect(await axeViolationsInBothLooks(page)).toEqual([]);
    await openMenu(page, onPhone, name);
    expect(await axeViolationsInBothLooks(page), 'menu open').toEqual([]);
    expectNone();
    await page.context().close();
  },
);

test('a menu opened before the session is known shows neither state, and keeps its height', async () => {
  const { page } = await openPage(browser, phone);
  await signInAs(shop, page, grace);
  const answer = await holdRequests(page, '**/api/auth/user');
  await page.goto(`${shop.url}/about`);
  const menu = page.getByRole('navigation', { name: 'Menu' });
  const opener = page.getByRole('button', { name: /menu/ });
  await expect
    .poll(async () => {
      await opener.click();
      return opener.getAttribute('aria-expanded');
    })
    .toBe('true');
  const height = async () => (await menu.boundingBox())?.height;
  const before = await height();
  expect(await menu.getByRole('link', { name: /^Log/ }).count(), 'to eyes and to screen readers').toBe(0);
  answer();
  await menu.getByRole('link', { name: 'Log out' }).waitFor();
  expect(await height()).toBe(before);
  await page.context().close();
});

test('a page restored from the back/forward cache reads the session again', async () => {
  const { page } = await openPage(browser, desktop);
  await signInAs(shop, page, grace);
  await page.goto(`${shop.url}/enroll`);
  await page.getByLabel('Company name').waitFor();
  await page.context().clearCookies();
  // The test browser keeps no pages in memory, so this is what it would say.
  await page.evaluate(() => window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })));
  await page.waitForURL('**/pricing');
  await page.getByText('Please log in to complete enrollment.').first().waitFor();
  await page.context().close();
});

/** Answers who is signed in only after the page has been painted without knowing. */
async function openWithLateSession(page: Page, address: string): Promise<void> {
  const user = '**/api/auth/user';
  const release = await holdRequests(page, user);
  const asked = page.waitForRequest(user);
  await page.goto(address, { waitUntil: 'commit' });
  await asked;
  await untilFramesAreSeen(page);
  release();
  await page.waitForLoadState('networkidle');
  await page.unroute(user);
}

async function openMenu(page: Page, onPhone: boolean, name: string | undefined): Promise<void> {
  if (!onPhone) return void (name && (await accountMenu(page).click()));
  await page.getByRole('button', { name: 'Open menu' }).click();
  const menu = page.getByRole('navigation', { name: 'Menu' });
  await menu.getByRole('link', { name: name ? 'Log out' : 'Log In' }).waitFor();
  expect(await menu.getByRole('link', { name: name ? 'Log In' : 'Log out' }).count()).toBe(0);
}

/** Runs in the page: notes at every frame which auth actions can be seen in the header. */
function watchHeader(): void {
  const seen = new Set<string>();
  Object.assign(window, { seenInHeader: seen, framesOfHeader: 0 });
  const mainLinks = ['', 'Home', 'About', 'Services', 'Pricing', 'Contact', 'Querywright'];
  const look = () => {
    for (const element of document.querySelectorAll('header :is(a, button)')) {
      const text = element.textContent?.trim() ?? '';
      if (element.checkVisibility({ visibilityProperty: true }) && !mainLinks.includes(text)) seen.add(text);
    }
    const { framesOfHeader } = window as unknown as Watched;
    if (document.querySelector('header')) Object.assign(window, { framesOfHeader: framesOfHeader + 1 });
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}

interface Watched {
  seenInHeader: Set<string>;
  framesOfHeader: number;
}

async function seenInHeader(page: Page): Promise<string[]> {
  return page.evaluate(() => [...(window as unknown as Watched).seenInHeader]);
}

async function untilFramesAreSeen(page: Page): Promise<void> {
  const before = await page.evaluate(countFrames);
  await expect.poll(() => page.evaluate(countFrames)).toBeGreaterThan(before + 3);
}

function loginLink(page: Page) {
  return page.getByRole('banner').getByRole('link', { name: 'Log In' });
}

/** Runs in the page. */
function countFrames(): number {
  return (window as unknown as Watched).framesOfHeader;
}

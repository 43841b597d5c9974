import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { axeViolations, desktop, openHydrated, openPage, phone } from '../testing/browser.ts';
import { withSite } from '../testing/site.ts';

// Notices: one at a time, for 5000 ms, closed by a swipe of 50 px, reached by F8.

const { shop, browser } = await withSite();

test('a new notice replaces the current one', async () => {
  const { page } = await openNotice(desktop);
  await page.unroute('**/api/newsletter/subscribe');
  await page.getByRole('button', { name: 'Subscribe' }).click();
  await card(page, 'Subscribed!').waitFor();
  expect(await card(page, 'Subscription Failed').count()).toBe(0);
  expect(await notices(page).count()).toBe(1);
  await page.context().close();
});

test('a notice stays for five seconds', async () => {
  const { page } = await openNotice(desktop, true);
  await page.clock.fastForward(4_900);
  expect(await notices(page).count()).toBe(1);
  await page.clock.fastForward(200);
  await notices(page).waitFor({ state: 'detached' });
  await page.context().close();
});

test('a swipe of more than 50 px closes a notice, a shorter one does not', async () => {
  const { page } = await openNotice(phone);
  await swipe(page, 40);
  expect(await notices(page).count()).toBe(1);
  await swipe(page, 60);
  await notices(page).waitFor({ state: 'detached' });
  await page.context().close();
});

test.each([
  ['light', 'Escape'],
  ['dark', 'Enter'],
] as const)(
  'F8 moves to the notice, which is accessible in the %s theme, and %s closes it',
  async (colorScheme, key) => {
    const { page } = await openNotice({ ...desktop, colorScheme });
    await page.keyboard.press('F8');
    expect(
      await page
        .getByRole('region', { name: 'Notifications (F8)' })
        .evaluate((region) => region.contains(document.activeElement)),
    ).toBe(true);
    // A focused notice stays.
    expect(await axeViolations(page)).toEqual([]);
    if (key === 'Enter') await page.getByRole('button', { name: 'Close notification' }).focus();
    await page.keyboard.press(key);
    await notices(page).waitFor({ state: 'detached' });
    await page.context().close();
  },
);

test('the close button of a notice, an icon only, has a tooltip', async () => {
  const { page } = await openNotice(desktop);
  await page.getByRole('button', { name: 'Close notification' }).hover();
  await page.getByRole('tooltip').filter({ hasText: 'Close' }).waitFor();
  await page.context().close();
});

/** A page that shows a notice, with its clock `stopped` if asked. */
async function openNotice(options: Parameters<typeof openPage>[1], stopped = false): Promise<{ page: Page }> {
  const { page } = await openPage(browser, { ...options, reducedMotion: 'reduce' });
  if (stopped) await page.clock.install();
  await page.route('**/api/newsletter/subscribe', (route) => route.abort());
  await openHydrated(page, shop.url);
  await page.getByLabel('E-mail address').fill(`ada-${Date.now()}@example.com`);
  if (stopped) await page.clock.pauseAt(Date.now() + 3_600_000);
  await page.getByRole('button', { name: 'Subscribe' }).click();
  await card(page, 'Subscription Failed').waitFor();
  return { page };
}

const notices = (page: Page) =>
  page.getByRole('region', { name: 'Notifications (F8)' }).getByRole('listitem');

const card = (page: Page, title: string) => notices(page).filter({ hasText: title });

async function swipe(page: Page, px: number): Promise<void> {
  const box = await notices(page).boundingBox();
  if (!box) throw new Error('There is no notice to swipe');
  const [x, y] = [box.x + 40, box.y + box.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + px / 2, y);
  await page.mouse.move(x + px, y);
  await page.mouse.up();
}

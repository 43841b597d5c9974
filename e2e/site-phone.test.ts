import type { Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { openPage, overflow, payByCard } from '../testing/browser.ts';
import { placeOrder } from '../testing/buyer.ts';
import { withSite } from '../testing/site.ts';
import { cardNumber, continueToPayment, fillDetails } from './checkout-page.ts';

const { shop, browser } = await withSite({ worker: true });

const longName = 'Wolfeschlegelsteinhausenbergerdorff '.repeat(5).trim();
const longEmail = `${'a'.repeat(60)}@${'subdomain-of-a-company.'.repeat(5)}example`;

describe.each([320, 390, 430])('at %i px, light and dark', (width) => {
  const look = { viewport: { width, height: 800 } };

  test('a purchase with the longest name and address never scrolls sideways', async () => {
    const { page, expectNone } = await openPage(browser, look);
    await fillDetails(page, shop, { name: longName, email: longEmail, service: 'migration' });
    expect(await sidewaysInEveryLook(page), 'the details').toEqual([0, 0, 0, 0]);
    await continueToPayment(page).click();
    await cardNumber(page).waitFor();
    expect(await sidewaysInEveryLook(page), 'the card').toEqual([0, 0, 0, 0]);
    const step = page.getByRole('tabpanel');
    const pay = step.getByRole('button', { name: /^Complete Payment/ });
    await pay.evaluate((button) => button.scrollIntoView({ block: 'end', behavior: 'instant' }));
    expect((await pay.boundingBox())?.height, 'for a thumb').toBeGreaterThanOrEqual(44);
    for (const fact of ['Migration Planning', '$5,999.00'])
      expect(await isOnScreen(step.getByText(fact, { exact: true })), fact).toBe(true);
    await payByCard(page);
    await page.getByRole('heading', { name: 'Payment Successful!' }).waitFor({ timeout: 20_000 });
    expect(await sidewaysInEveryLook(page), 'the receipt').toEqual([0, 0, 0, 0]);
    await page.waitForURL((url) => !url.href.includes('client_secret'));
    expectNone();
    await page.context().close();
  });

  test.each(['/', '/services', '/services/optimization', '/pricing', '/contact', '/nowhere'])(
    '%s never scrolls sideways, also with text twice as large',
    async (address) => {
      const { page } = await openPage(browser, look);
      await page.goto(shop.url + address);
      expect(await sidewaysInEveryLook(page)).toEqual([0, 0, 0, 0]);
      await page.context().close();
    },
  );
});

test('after Continue, the step is shown from its beginning', async () => {
  const { page } = await openPage(browser, { viewport: { width: 360, height: 640 } });
  await fillDetails(page, shop);
  const next = continueToPayment(page);
  await next.evaluate((button) => button.scrollIntoView({ block: 'center', behavior: 'instant' }));
  await next.click();
  await cardNumber(page).waitFor();
  for (const part of [page.getByRole('tab', { name: 'PayPal' }), page.getByText('Ada Lovelace')])
    expect(await isUncovered(part)).toBe(true);
  await page.context().close();
});

test('the sticky line covers the edges of what scrolls beneath it', async () => {
  const { page } = await openPage(browser, { viewport: { width: 360, height: 640 }, deviceScaleFactor: 1.5 });
  await fillDetails(page, shop);
  await continueToPayment(page).click();
  await cardNumber(page).waitFor();
  const step = page.getByRole('tabpanel');
  const line = await step.getByRole('heading', { name: 'Database Audit' }).boundingBox();
  const box = await step.getByText('Any future date').locator('..').boundingBox();
  expect(line && box && line.x < box.x && line.x + line.width > box.x + box.width).toBe(true);
  await page.context().close();
});

test('ranges stay on one line', async () => {
  const { page } = await openPage(browser, { viewport: { width: 360, height: 800 } });
  await page.goto(`${shop.url}/services/schema-design`);
  const lead = page.locator('h1 + p');
  expect(await lead.textContent()).toMatch(/ 3-4 weeks\.$/);
  const range = lead.getByText('3-4 weeks', { exact: true });
  expect(await range.evaluate((element) => element.getClientRects().length)).toBe(1);
  await page.context().close();
});

test.each([
  [360, 1],
  [320, 2],
])('at %i px an order id takes %i lines, and one click selects all of it', async (width, lines) => {
  const { orderId } = await placeOrder(shop);
  const { page } = await openPage(browser, { viewport: { width, height: 800 } });
  await page.goto(`${shop.url}/success?orderId=${orderId}`);
  const id = page.getByText(orderId, { exact: true });
  const tops = () =>
    id.evaluate((element) => {
      const range = document.createRange();
      range.selectNodeContents(element);
      return new Set([...range.getClientRects()].map(({ top }) => top)).size;
    });
  await page.evaluate(() => document.fonts.ready);
  expect(await tops()).toBe(lines);
  await id.click();
  expect(await page.evaluate(() => getSelection()?.toString())).toBe(orderId);
  await page.context().close();
});

test('a receipt whose service has not loaded never scrolls sideways', async () => {
  const { orderId } = await placeOrder(shop);
  const { page } = await openPage(browser, { viewport: { width: 320, height: 800 } });
  await page.route('**/api/services/**', () => {});
  await page.goto(`${shop.url}/success?orderId=${orderId}`);
  await page.getByRole('heading', { name: 'Order details' }).waitFor();
  expect(await sidewaysInEveryLook(page)).toEqual([0, 0, 0, 0]);
  await page.context().close();
});

test('the test-mode ribbon covers nothing: it is above the header, and its place is reserved', async () => {
  const { page } = await openPage(browser, { viewport: { width: 390, height: 800 } });
  await page.goto(shop.url);
  const ribbon = page.getByRole('complementary', { name: 'Test mode' });
  await ribbon.waitFor();
  const below = await page.getByRole('banner').boundingBox();
  const box = await ribbon.boundingBox();
  expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(below?.y ?? 0);
  await page.getByRole('contentinfo').scrollIntoViewIfNeeded();
  expect((await ribbon.boundingBox())?.y).toBeLessThan(0);
  await page.context().close();
});

async function isOnScreen(part: Locator): Promise<boolean> {
  const box = await part.boundingBox();
  return box !== null && box.y >= 0 && box.y + box.height <= 800;
}

function isUncovered(part: Locator): Promise<boolean> {
  return part.evaluate((element) => {
    const { x, y, width, height } = element.getBoundingClientRect();
    return element.contains(document.elementFromPoint(x + width / 2, y + height / 2));
  });
}

/** How many pixels too wide, with usual and with large text, in dark and in light. */
async function sidewaysInEveryLook(page: Page): Promise<number[]> {
  const settings = await page.context().newCDPSession(page);
  const found: number[] = [];
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    for (const standard of [16, 32]) {
      await settings.send('Page.setFontSizes', { fontSizes: { standard } });
      found.push(await overflow(page));
    }
  }
  await settings.send('Page.setFontSizes', { fontSizes: { standard: 16 } });
  return found;
}

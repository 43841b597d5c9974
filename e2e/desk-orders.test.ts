import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { axeViolationsInBothLooks, desktop, openPage, overflow } from '../testing/browser.ts';
import { type PlacedOrder, pay, placeOrder, untilStatus } from '../testing/buyer.ts';
import { signInAtDesk } from '../testing/desk-page.ts';
import { buyWithPaypal, paypalControl } from '../testing/paypal.ts';
import { refundFirst, withoutDuplicateRefund } from '../testing/second-payments.ts';
import { withSite } from '../testing/site.ts';
import { stripeControl } from '../testing/stripe.ts';

const { shop, browser } = await withSite({ worker: true });
const narrow = { viewport: { width: 360, height: 800 } };

test('a purchase, a refund of a part, a dispute and its end are followed and acted on at the desk', {
  tags: ['core'],
}, async () => {
  const { page, expectNone } = await openPage(browser, desktop);
  await signInAtDesk(shop, page, 'Olive Park', { path: '/desk/orders', fresh: true });
  await page.getByText('No order matches.').waitFor();
  await page.getByText('Export as CSV').waitFor();
  await page.getByLabel('Search').fill('love');
  await page.keyboard.press('Enter');
  await page.getByText('Export as CSV').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Clear' }).click();

  const order = await placeOrder(shop, { customerName: 'Ada Lovelace' });
  const row = page.getByRole('row', { name: /Ada Lovelace/ });
  await row.getByText('Pending').waitFor();
  const { latest_charge: charge } = await pay(shop, order);
  await row.getByText('Paid').waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Ada Lovelace' }).waitFor();
  await page.getByText('pending → paid (webhook)').waitFor();

  await page.getByText('Refund Stripe’s payment').click();
  const amount = page.getByLabel('Amount in dollars');
  const refund = page.locator('details', { hasText: 'Refund Stripe’s payment' });
  for (const text of ['100,50', 'abc', '0', '']) {
    await amount.fill(text);
    await page.getByRole('button', { name: 'Refund', exact: true }).click();
    await refund.getByText('Enter dollars and cents, for example 100.50').waitFor();
    expect(await refund.locator('[aria-invalid]:focus').getAttribute('name')).toBe('amount');
  }
  await amount.fill('999');
  await page.getByRole('button', { name: 'Refund', exact: true }).click();
  await page.getByText('A reason is required').waitFor();
  expect(await amount.getAttribute('aria-invalid')).toBe(null);
  await refund.getByLabel('Reason').fill('Half a day less');
  await page.getByRole('button', { name: 'Refund', exact: true }).click();
  await page.getByRole('main').getByText('Partially refunded', { exact: true }).waitFor();
  await page.getByText('Refund of $999.00, succeeded').waitFor();
  await page.getByText(/olive\.park@.*: refund .*: Half a day less/).waitFor();

  const { id } = await stripeControl<{ id: string }>(shop, `/charges/${charge}/dispute`);
  await page.getByRole('main').getByText('Disputed', { exact: true }).waitFor();
  await page.getByText('evidence due').waitFor();
  expect(await page.getByText('Refund Stripe’s payment').count()).toBe(0);
  await stripeControl(shop, `/disputes/${id}/close`, { outcome: 'won' });
  await page.getByRole('main').getByText('Partially refunded', { exact: true }).waitFor();
  expectNone();
  await page.context().close();
});

test('while a dispute at PayPal is open, only all of the payment can be refunded', async () => {
  const { orderId, captureId } = await buyWithPaypal(shop);
  await paypalControl(shop, `/captures/${captureId}/dispute`);
  await untilStatus(shop, orderId, 'disputed');
  const { page } = await openPage(browser, desktop);
  await signInAtDesk(shop, page, 'Olive Park', { path: `/desk/orders/${orderId}`, fresh: true });
  await page.getByText('ends with a full refund').waitFor();
  await page.getByText('Refund PayPal’s payment').click();
  const refund = page.locator('details', { hasText: 'Refund PayPal’s payment' });
  await refund.getByText('All $2,999.00, which ends the dispute.').waitFor();
  expect(await page.getByLabel('Amount in dollars').count()).toBe(0);
  await refund.getByLabel('Reason').fill('Agreed');
  await page.getByRole('button', { name: 'Refund', exact: true }).click();
  await page.getByText('Refund of $2,999.00, succeeded').waitFor();
  await page.getByRole('main').getByText('Refunded', { exact: true }).waitFor();
  await page.context().close();
});

test('a second payment can be kept once the first one went back', { tags: ['core'] }, async () => {
  const paid = await withoutDuplicateRefund(shop);
  const { orderId } = paid.order;
  const { page } = await openPage(browser, desktop);
  await signInAtDesk(shop, page, 'Olive Park', { path: `/desk/orders/${orderId}`, fresh: true });
  await page.getByText('Refund Stripe’s payment').waitFor();
  expect(await page.getByText('Keep Stripe’s payment').count()).toBe(0);
  await refundFirst(shop, paid);
  await page.getByText('Keep Stripe’s payment').click();
  const keep = page.locator('details', { hasText: 'Keep Stripe’s payment' });
  await keep.getByText('$2,999.00 pays for the order').waitFor();
  await keep.getByLabel('Reason').fill('Agreed');
  await keep.getByRole('button', { name: 'Keep the payment' }).click();
  await page.getByText('Pays the order').waitFor();
  await page.getByRole('main').getByText('Paid', { exact: true }).first().waitFor();
  await page.context().close();
});

test('the second of two operators gets a conflict, sees the first one’s action, and can continue', async () => {
  const { orderId } = await paidOrder();
  const olive = await atRefund('Olive Park', orderId);
  const marcus = await atRefund('Marcus Webb', orderId, async (page) => {
    // As while its stream is interrupted: only the conflict reveals the first operator's refund.
    await page.route('**/api/desk/orders/events', (route) => route.abort());
  });
  await refundOf(olive, '1000');
  await olive.getByText('Refund of $1,000.00, succeeded').waitFor();

  await refundOf(marcus, '$1,000.00');

  await marcus.getByText('This order has just changed.').waitFor();
  await marcus.getByText('At most $1,999.00.').waitFor();
  await marcus.getByText('Refund of $1,000.00, succeeded').waitFor();
  await refundOf(marcus, '500');
  await olive.getByText('Refund of $500.00, succeeded').waitFor();
  await olive.getByText('olive.park@querywright.example: refund of $1,000.00: Agreed').waitFor();
  await olive.getByText('marcus.webb@querywright.example: refund of $500.00: Agreed').waitFor();
  for (const page of [olive, marcus]) await page.context().close();
});

async function atRefund(
  name: 'Olive Park' | 'Marcus Webb',
  orderId: string,
  prepare?: (page: Page) => Promise<void>,
): Promise<Page> {
  const { page } = await openPage(browser, desktop);
  await prepare?.(page);
  await signInAtDesk(shop, page, name, { path: `/desk/orders/${orderId}`, fresh: true });
  await page.getByText('Refund Stripe’s payment').click();
  return page;
}

async function refundOf(page: Page, dollars: string): Promise<void> {
  await page.getByLabel('Amount in dollars').fill(dollars);
  await page.locator('details', { hasText: 'Refund Stripe’s payment' }).getByLabel('Reason').fill('Agreed');
  await page.getByRole('button', { name: 'Refund', exact: true }).click();
}

describe('on a phone', () => {
  test('list and order fit, light and dark, and the list is exported with a reason', async () => {
    const order = await paidOrder();
    const { page } = await openPage(browser, narrow);
    await signInAtDesk(shop, page, 'Olive Park', { path: '/desk/orders', fresh: true });
    await page.getByRole('link', { name: longName }).first().waitFor();
    await page.getByText('Export as CSV').click();
    await page.getByText('As a table').click();
    await page.getByRole('table', { name: 'Sales by week' }).getByText('Revenue').waitFor();
    expect(await overflow(page)).toBe(0);
    expect(await axeViolationsInBothLooks(page)).toEqual([]);
    const [badge] = await page.locator('tbody').getByText('Paid', { exact: true }).all();
    await badge?.evaluate((element) => {
      element.textContent = 'Partially refunded';
    });
    await page.setViewportSize({ ...narrow.viewport, width: 320 });
    expect(await overflow(page)).toBe(0);
    await page.setViewportSize(narrow.viewport);
    await page.getByLabel('Reason').fill('For the accountant');
    const press = page.getByRole('button', { name: 'Export' }).click();
    const [file] = await Promise.all([page.waitForEvent('download'), press]);
    expect(readFileSync(await file.path(), 'utf8')).toContain(longName);
    expect(await shop.db('desk_actions').where({ action: 'export orders' }).pluck('reason')).toEqual([
      'For the accountant',
    ]);
    await page.goto(`${shop.url}/desk/orders/${order.orderId}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await openAll(page);
    expect(await overflow(page)).toBe(0);
    expect(await axeViolationsInBothLooks(page)).toEqual([]);
    await page.context().close();
  });
});

test('filters are in the address, searches are not', async () => {
  const order = await paidOrder();
  const { page } = await openPage(browser, desktop);
  await signInAtDesk(shop, page, 'Vera Holm');
  await page.getByRole('heading', { name: 'Today' }).waitFor();
  await page.keyboard.press('/');
  await page.getByRole('searchbox').waitFor();
  expect(await page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('text');
  await page.keyboard.type('unknown@example.com');
  await page.keyboard.press('Enter');
  await page.getByRole('status').getByText('No order matches.').waitFor();
  await page.locator('input[type=search]:focus').waitFor();
  expect(page.url()).not.toContain('unknown');
  await page.getByRole('searchbox').fill(longName);
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByRole('link', { name: longName }).first().waitFor();
  await page
    .getByRole('status')
    .getByText(/^\d orders?$/)
    .waitFor();
  await page.locator('button:focus', { hasText: 'Search' }).waitFor();
  await page.getByRole('navigation', { name: 'Desk' }).getByRole('link', { name: 'Orders' }).click();
  await expect.poll(() => page.getByRole('searchbox').inputValue()).toBe('');
  await page.getByLabel('Status').selectOption('review');
  await page.getByText('No order matches.').waitFor();
  await page.getByRole('button', { name: 'Clear' }).click();
  await page.getByLabel('Status').selectOption('paid');
  await page.getByRole('link', { name: longName }).first().waitFor();
  expect(new URL(page.url()).search).toBe('?status=paid');
  await page.getByLabel('Status').selectOption('review');
  await page.getByText('No order matches.').waitFor();

  await page.goto(`${shop.url}/desk/orders/${order.orderId}`);
  await page.getByRole('heading', { level: 1, name: longName }).waitFor();
  expect(await page.getByRole('heading', { name: 'Actions' }).count()).toBe(0);
  await page.context().close();
});

test('an order that changes leaves and joins filtered lists in its place', async () => {
  const older = await placeOrder(shop, { customerName: 'Edith Clarke' });
  const newer = await placeOrder(shop, { customerName: 'Mary Jackson' });
  await pay(shop, newer);
  await untilStatus(shop, newer.orderId, 'paid');
  const { page: pending } = await openPage(browser, desktop);
  await signInAtDesk(shop, pending, 'Vera Holm', { path: '/desk/orders?status=pending' });
  const paid = await pending.context().newPage();
  await paid.goto(`${shop.url}/desk/orders?status=paid`);
  await paid.getByRole('link', { name: 'Mary Jackson' }).waitFor();
  await pending.getByRole('link', { name: 'Edith Clarke' }).focus();

  await pay(shop, older);
  await pending.getByRole('link', { name: 'Edith Clarke' }).waitFor({ state: 'detached' });
  expect(await pending.evaluate(() => document.activeElement?.id)).toBe('main');
  await paid.getByRole('link', { name: 'Edith Clarke' }).waitFor();
  const buyers = await paid.locator('[data-row]').allInnerTexts();
  expect(buyers.slice(0, 2)).toEqual(['Mary Jackson', 'Edith Clarke']);
  await pending.context().close();
});

test('a search leads page by page to the oldest match, by keyboard too', async () => {
  await shop.db.raw(
    `insert into orders (service_id, customer_name, customer_email, payment_method, amount, created_at)
     select (select id from services limit 1), 'Zora ' || n, 'zora@example.com', 'stripe', 100, now() - n * interval '9 days'
     from generate_series(1, 110) as n`,
  );
  const { page, expectNone } = await openPage(browser, desktop);
  await signInAtDesk(shop, page, 'Vera Holm', { path: '/desk/orders' });
  await page.getByLabel('Search').fill('zor');
  await page.keyboard.press('Enter');
  const row = (n: number) => page.getByRole('link', { name: `Zora ${n}`, exact: true });
  await page.getByRole('status').getByText('The first 50 orders').waitFor();
  await row(50).focus();
  expect(await row(51).count()).toBe(0);
  await page.keyboard.press('j');
  await page.locator(':focus', { hasText: 'Zora 51' }).waitFor();
  await page.keyboard.press('k');
  await page.locator(':focus', { hasText: 'Zora 50' }).waitFor();
  await page.getByRole('button', { name: 'Show more' }).click();
  await page.locator(':focus', { hasText: 'Zora 101' }).waitFor();
  await row(110).waitFor();
  expect(await page.getByRole('button', { name: 'Show more' }).count()).toBe(0);
  expect(await page.getByRole('link', { name: /^Zora / }).count()).toBe(110);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Zora 101' }).waitFor();
  expect(await page.evaluate(() => [window.scrollY, document.activeElement?.id])).toEqual([0, 'main']);
  expect(await page.title()).toMatch(/^Order …[0-9a-f]{8} - Desk - Querywright$/);
  await page.goBack();
  await page.locator(':focus', { hasText: 'Zora 101' }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('main').getByRole('link', { name: 'Orders' }).click();
  expect(await page.getByRole('searchbox').inputValue()).toBe('zor');
  await row(1).waitFor();
  expectNone();
  await page.context().close();
});

test('irreversible actions ask for a fresh sign-in and return to the order, with the action open', async () => {
  const order = await paidOrder();
  const { page } = await openPage(browser, desktop);
  await signInAtDesk(shop, page, 'Olive Park', { path: `/desk/orders/${order.orderId}` });
  await page.getByText('Refund Stripe’s payment').click();
  await page.getByRole('link', { name: 'sign in again' }).click();
  await page.getByRole('button', { name: 'Continue as Olive Park' }).click();
  await page.waitForURL(`**/desk/orders/${order.orderId}#refund-*`);
  await page.getByLabel('Amount in dollars').waitFor();
  await page.context().close();
});

const longName = 'Wolfeschlegelsteinhausenbergerdorff the Elder';

async function paidOrder(): Promise<PlacedOrder> {
  const order = await placeOrder(shop, { customerName: longName });
  await pay(shop, order);
  await untilStatus(shop, order.orderId, 'paid');
  return order;
}

async function openAll(page: Page): Promise<void> {
  for (const summary of await page.locator('main summary').all()) await summary.click();
  await page.getByText('You receive this because').first().waitFor();
}

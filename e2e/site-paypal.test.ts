import type { Page } from 'playwright-core';
import { afterEach, describe, expect, test } from 'vitest';
import { runAxe } from '../testing/axe.ts';
import { desktop, layoutShift, openPage, paintWithFonts, payByCard, phone } from '../testing/browser.ts';
import { untilStatus } from '../testing/buyer.ts';
import { withSite } from '../testing/site.ts';
import { waitFor } from '../testing/wait-for.ts';
import { cardNumber, continueWithPaypal, openPaypalWindow } from './checkout-page.ts';

const { shop, browser } = await withSite({ worker: true });
afterEach(() => shop.sandbox.faults.clear());

test.each([
  ['a phone', phone],
  ['a desktop', desktop],
])(
  'bought with PayPal on %s: approved in its window, paid on the success page',
  { tags: ['core'] },
  async (_what, size) => {
    const { page, expectNone } = await openPage(browser, size);
    await paintWithFonts(page);
    await continueWithPaypal(page, shop, 'approves@example.com');
    expect(await runAxe(page, { include: ['#payment'] })).toEqual([]);
    const paypal = await openPaypalWindow(page);
    expect(await paypal.getByText('USD 2999.00').isVisible()).toBe(true);
    expect(await paypal.getByText('Database Audit').isVisible()).toBe(true);
    await paypal.getByRole('button', { name: 'Pay now' }).click();

    await page.waitForURL(/\/success\?orderId=[0-9a-f-]{36}$/);
    await page.getByRole('heading', { name: 'Payment Successful!' }).waitFor();
    await untilStatus(shop, orderIn(page), 'paid');
    expect(await layoutShift(page)).toBe(0);
    expectNone();
    await page.context().close();
  },
);

describe('the buyer comes back without having paid:', () => {
  test('canceled in PayPal’s window: no error, and the same order can still be paid', async () => {
    const { page } = await openPage(browser, desktop);
    const said = consoleOf(page);
    await continueWithPaypal(page, shop, 'cancels@example.com');
    await (await openPaypalWindow(page)).getByRole('button', { name: 'Cancel and return' }).click();
    await expect.poll(() => said.join()).toContain('PayPal payment canceled');
    expect(await page.getByRole('status').filter({ hasText: /.../ }).count()).toBe(0);

    await (await openPaypalWindow(page)).getByRole('button', { name: 'Pay now' }).click();
    await page.waitForURL('**/success?orderId=*');
    await untilStatus(shop, orderIn(page), 'paid');
    expect(await ordersOf('cancels@example.com')).toHaveLength(1);
    await page.context().close();
  });

  test('the window is simply closed', async () => {
    const { page } = await openPage(browser, desktop);
    const said = consoleOf(page);
    await continueWithPaypal(page, shop, 'closes@example.com');
    await (await openPaypalWindow(page)).close();
    await expect.poll(() => said.join()).toContain('PayPal payment canceled');
    await (await openPaypalWindow(page)).getByRole('button', { name: 'Pay now' }).click();
    await page.waitForURL('**/success?orderId=*');
    await page.context().close();
  });

  test('declined: the page says so, and another try in the window succeeds', async () => {
    const { page } = await openPage(browser, desktop);
    await continueWithPaypal(page, shop, 'declined@example.com');
    const first = await openPaypalWindow(page);
    await first.getByRole('combobox').selectOption('declined');
    await first.getByRole('button', { name: 'Pay now' }).click();
    await page.getByText('Payment Failed', { exact: true }).waitFor();
    await (await openPaypalWindow(page)).getByRole('button', { name: 'Pay now' }).click();
    await page.waitForURL('**/success?orderId=*');
    await untilStatus(shop, orderIn(page), 'paid');
    await page.context().close();
  });
});

test('the browser is closed right after the approval: the order is still paid', {
  tags: ['core'],
}, async () => {
  const { page } = await openPage(browser, desktop);
  // The capture call is lost, as when the tab is closed at that moment.
  await page.route('**/api/paypal/order/*/capture', (route) => route.abort());
  await continueWithPaypal(page, shop, 'vanishes@example.com');
  await (await openPaypalWindow(page)).getByRole('button', { name: 'Pay now' }).click();
  const [order] = await waitFor('the order', () => ordersOf('vanishes@example.com'));
  await page.context().close();
  await untilStatus(shop, order?.id ?? '', 'paid');
});

test('PayPal’s script blocked: the tab says so, and the card can pay the same order', async () => {
  const { page } = await openPage(browser, desktop);
  await page.route('**/paypal/web-sdk/**', (route) => route.abort());
  await continueWithPaypal(page, shop, 'blocked@example.com');
  await page.getByText('PayPal is not available at the moment.').waitFor();
  await page.getByRole('tab', { name: 'Card' }).click();
  await cardNumber(page).waitFor();
  await payByCard(page);
  await page.waitForURL('**/success?orderId=*');
  await untilStatus(shop, orderIn(page), 'paid');
  expect(await ordersOf('blocked@example.com')).toHaveLength(1);
  await page.context().close();
});

test('PayPal down while its payment is made: a toast says so, then it works', async () => {
  const { page } = await openPage(browser, desktop);
  await continueWithPaypal(page, shop, 'down@example.com');
  await page.getByRole('button', { name: 'Pay with PayPal' }).waitFor();
  shop.sandbox.faults.add({ target: 'paypal', mode: 'error' });
  await page.getByRole('button', { name: 'Pay with PayPal' }).click();
  await page.getByText('Failed to create PayPal order').first().waitFor();
  shop.sandbox.faults.clear();
  await (await openPaypalWindow(page)).getByRole('button', { name: 'Pay now' }).click();
  await page.waitForURL('**/success?orderId=*');
  await page.context().close();
});

test('under review at PayPal: the success page shows it as processing until PayPal decides', async () => {
  const { page } = await openPage(browser, phone);
  await continueWithPaypal(page, shop, 'review@example.com');
  const paypal = await openPaypalWindow(page);
  await paypal.getByRole('combobox').selectOption('pending');
  await paypal.getByRole('button', { name: 'Pay now' }).click();
  await page.waitForURL('**/success?orderId=*');
  await page
    .getByText(/confirming/i)
    .first()
    .waitFor();
  const [capture] = [...shop.sandbox.paypal.context.state.captures.values()].slice(-1);
  await fetch(`${shop.sandbox.url}/paypal/sandbox/captures/${capture?.id}/complete`, { method: 'POST' });
  await page.getByRole('heading', { name: 'Payment Successful!' }).waitFor();
  await page.context().close();
});

function consoleOf(page: Page): string[] {
  const said: string[] = [];
  page.on('console', (message) => said.push(message.text()));
  return said;
}

function orderIn(page: Page): string {
  return new URL(page.url()).searchParams.get('orderId') ?? '';
}

async function ordersOf(email: string): Promise<{ id: string }[]> {
  return shop.db('orders').where({ customer_email: email }).select<{ id: string }[]>('id');
}

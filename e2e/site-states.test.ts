import type { BrowserContextOptions, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import type { OrderStatus } from '../core/orders.ts';
import { NO_FACTS } from '../core/payment-facts.ts';
import {
  axeViolations,
  axeViolationsInBothLooks,
  desktop,
  holdRequests,
  layoutShift,
  openHydrated,
  openPage,
  overflow,
  paintWithFonts,
  phone,
} from '../testing/browser.ts';
import { placeOrder } from '../testing/buyer.ts';
import { withSite } from '../testing/site.ts';

const { shop, browser } = await withSite();

const sizes: [string, BrowserContextOptions][] = [
  ['a phone', phone],
  ['a desktop', desktop],
];

const paidAt = new Date('2026-11-21T09:00:00Z');
const oddMoney = { ...NO_FACTS, captures: { pi_1: { amount: 1_000, currency: 'USD' } } };
const states: [OrderStatus, Record<string, unknown>, string, string][] = [
  ['pending', {}, 'Confirming your payment…', 'What Happens Next?'],
  ['paid', { paid_at: paidAt }, 'Payment Successful!', 'What Happens Next?'],
  [
    'failed',
    { failure_reason: 'Your card was declined.' },
    'The payment did not go through',
    'Pay for this order',
  ],
  ['canceled', {}, 'This order was canceled', 'Order again'],
  ['canceled', { payment_facts: oddMoney }, 'This order was canceled', 'Any questions?'],
  [
    'partially_refunded',
    { paid_at: paidAt, amount_refunded: 50_000 },
    'Part of your payment was refunded',
    'What Happens Next?',
  ],
  ['refunded', { paid_at: paidAt, amount_refunded: 299_900 }, 'Your payment was refunded', 'Any questions?'],
  ['disputed', { paid_at: paidAt }, 'This payment is disputed', 'Any questions?'],
  ['review', {}, 'We are checking your payment', 'What Happens Next?'],
];

describe('an order’s page', () => {
  test.each(sizes)(
    'on %s, light and dark, shows every state without axe finding, layout shift or console error',
    async (_name, size) => {
      const { page, expectNone } = await openPage(browser, size);
      await paintWithFonts(page);
      for (const [status, columns, title, beside] of states) {
        await page.goto(await orderPage(status, columns), { waitUntil: 'load' });
        await page.getByRole('heading', { level: 1, name: title }).waitFor();
        await page.getByRole('heading', { level: 2, name: beside }).waitFor();
        await page.getByText('Database Audit', { exact: true }).first().waitFor();
        expect(await axeViolationsInBothLooks(page), status).toEqual([]);
        expect(await overflow(page), status).toBe(0);
        expect(await layoutShift(page), status).toBe(0);
      }
      expectNone();
      await page.context().close();
    },
  );

  test('for an unknown or unavailable order says so and links on', async () => {
    const { page } = await openPage(browser, phone);
    await page.goto(`${shop.url}/success?orderId=00000000-0000-4000-8000-000000000000`);
    await page.getByRole('heading', { name: 'We cannot find this order' }).waitFor();
    expect(await axeViolations(page)).toEqual([]);
    const address = await orderPage('paid', { paid_at: paidAt });
    await page.route('**/api/orders/*', (route) => route.abort());
    await page.goto(address);
    await page.getByRole('heading', { name: 'Your order could not be loaded' }).waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await page.unroute('**/api/orders/*');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { name: 'Payment Successful!' }).waitFor();
    await page.context().close();
  });

  test('updates without a reload even if its event stream is refused', { tags: ['core'] }, async () => {
    const { page } = await openPage(browser, desktop);
    const refusal = { status: 503, json: { message: 'Busy', code: 'unavailable' } };
    await page.route('**/api/orders/*/events', (route) => route.fulfill(refusal));
    const address = await orderPage('pending', {});
    await page.goto(address);
    await page.getByRole('heading', { level: 1, name: 'Confirming your payment…' }).waitFor();
    const id = new URL(address).searchParams.get('orderId');
    await shop.db('orders').where({ id }).update({ status: 'paid', paid_at: paidAt });
    await page.getByRole('heading', { name: 'Payment Successful!' }).waitFor({ timeout: 15_000 });
    await page.context().close();
  });

  test('keeps its shape on a slow connection while it waits', async () => {
    const { page } = await openPage(browser, desktop);
    const answer = await holdRequests(page, '**/api/orders/*');
    await paintWithFonts(page);
    await page.goto(await orderPage('paid', { paid_at: paidAt }));
    await page.getByRole('heading', { name: 'Loading order details...' }).waitFor();
    expect(await axeViolations(page)).toEqual([]);
    answer();
    await page.getByRole('heading', { name: 'Payment Successful!' }).waitFor();
    expect(await layoutShift(page)).toBe(0);
    await page.context().close();
  });

  test('prints as a receipt: seller, buyer, service and amount, without the site’s frame', async () => {
    const { page } = await openPage(browser, { ...desktop, colorScheme: 'dark', timezoneId: 'UTC' });
    await page.goto(await orderPage('paid', { paid_at: paidAt }));
    await page.getByRole('heading', { name: 'Payment Successful!' }).waitFor();
    await page.emulateMedia({ media: 'print' });
    for (const text of ['Querywright', 'San Francisco', '$2,999.00', 'ada@example.com', 'Paid on', 'UTC'])
      expect(await page.locator('main').getByText(text).first().isVisible(), text).toBe(true);
    for (const part of ['header', 'footer', 'main button'])
      expect(await page.locator(part).first().isVisible(), part).toBe(false);
    expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe(
      'rgb(255, 255, 255)',
    );
    for (const format of ['A4', 'Letter']) expect(pagesOf(await page.pdf({ format })), format).toBe(1);
    await page.context().close();
  });
});

describe('the checkout', () => {
  test.each(sizes)('on %s, light and dark, has no axe finding at any step', async (_name, size) => {
    const { page, expectNone } = await openPage(browser, size);
    await page.goto(`${shop.url}/pricing?service=design`);
    await page.getByLabel('Full name').fill('Ada Lovelace');
    await page.locator('#payment').getByLabel('E-mail').fill('not an address');
    await page.getByRole('button', { name: 'Continue to Payment' }).click();
    await page.getByText('Please enter a valid e-mail address').waitFor();
    expect(await axeViolationsInBothLooks(page), 'a bad field').toEqual([]);
    await page.locator('#payment').getByLabel('E-mail').fill('ada@example.com');
    await page.getByRole('button', { name: 'Continue to Payment' }).click();
    await page.frameLocator('iframe[title="Secure payment input frame"]').getByLabel('Card number').waitFor();
    // Until it is enabled its colors are in transition.
    await page.getByRole('button', { name: 'Complete Payment' }).click({ trial: true });
    expect(await axeViolationsInBothLooks(page), 'the card').toEqual([]);
    expect(await overflow(page)).toBe(0);
    await page.getByRole('tab', { name: 'PayPal' }).press('Enter');
    await page.getByRole('button', { name: 'Pay with PayPal' }).waitFor();
    expect(await axeViolationsInBothLooks(page), 'PayPal').toEqual([]);
    expectNone();
    await page.context().close();
  });

  test.each(sizes)(
    'on %s, light and dark, has none without the card provider’s script',
    async (_name, size) => {
      const { page } = await openPage(browser, size);
      await page.route('**/stripe/v3/**', (route) => route.abort());
      await page.goto(`${shop.url}/pricing?service=audit`);
      await page.getByLabel('Full name').fill('Ada Lovelace');
      await page.locator('#payment').getByLabel('E-mail').fill('ada@example.com');
      await page.getByRole('button', { name: 'Continue to Payment' }).click();
      await page.getByText('Stripe is currently unavailable.').waitFor();
      expect(await axeViolationsInBothLooks(page)).toEqual([]);
      await page.context().close();
    },
  );
});

describe('the services', () => {
  test('link to another page when the list cannot be loaded, and load it again', async () => {
    const { page } = await openPage(browser, phone);
    await page.route('**/api/services', (route) => route.abort());
    await page.goto(`${shop.url}/services`);
    await page.getByText('The list could not be loaded.').waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await page.unroute('**/api/services');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('Starting at').first().waitFor();
    await page.context().close();
  });

  test('say so if none is on sale', async () => {
    const { page } = await openPage(browser, desktop);
    await page.route('**/api/services', (route) => route.fulfill({ json: [] }));
    await page.goto(`${shop.url}/services`);
    await page.getByText('No services are available at the moment.').waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await page.context().close();
  });
});

test('a page whose code cannot be loaded says so and offers a reload', async () => {
  const { page } = await openPage(browser, desktop);
  await openHydrated(page, `${shop.url}/about`);
  await page.route('**/assets/contact-*.js', (route) => route.abort());
  await page.context().setOffline(true);
  await followToContact(page);
  await page.getByRole('heading', { name: 'This page could not be loaded' }).waitFor();
  expect(await axeViolations(page)).toEqual([]);
  await page.unroute('**/assets/contact-*.js');
  await page.context().setOffline(false);
  await page.getByRole('button', { name: 'Reload' }).click();
  await page.getByRole('heading', { name: 'Write to an engineer' }).waitFor();
  await page.context().close();
});

test('the open phone menu has no axe finding', async () => {
  const { page } = await openPage(browser, phone);
  await page.goto(shop.url);
  await page.getByRole('button', { name: 'Open menu' }).click();
  await page.getByRole('navigation', { name: 'Menu' }).getByRole('link', { name: 'Log In' }).waitFor();
  expect(await axeViolations(page)).toEqual([]);
  await page.context().close();
});

function pagesOf(pdf: Buffer): number {
  return pdf.toString('latin1').match(/\/Type\s*\/Page\b(?!s)/g)?.length ?? 0;
}

async function followToContact(page: Page): Promise<void> {
  await page.getByRole('navigation', { name: 'Footer' }).getByRole('link', { name: 'Contact' }).click();
}

/** The address of a new order in this state. Its money is not asked about: only what the page makes of it is. */
async function orderPage(status: OrderStatus, columns: Record<string, unknown>): Promise<string> {
  const { orderId } = await placeOrder(shop);
  await shop
    .db('orders')
    .where({ id: orderId })
    .update({ status, ...columns });
  return `${shop.url}/success?orderId=${orderId}`;
}

import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import {
  axeViolations,
  cardFormReady,
  desktop,
  holdRequests,
  openHydrated,
  openPage,
  payByCard,
  phone,
} from '../testing/browser.ts';
import { untilStatus } from '../testing/buyer.ts';
import { withSite } from '../testing/site.ts';
import { waitFor } from '../testing/wait-for.ts';
import { cardNumber, continueToPayment, emailField, fillDetails } from './checkout-page.ts';

const { shop, browser } = await withSite({ worker: true });

test('Continue to Payment requires name, e-mail and service; an invalid e-mail is reported at its field', async () => {
  const { page, expectNone } = await openPage(browser, desktop);
  await page.goto(`${shop.url}/pricing#payment`);
  const proceed = continueToPayment(page);
  await page.getByLabel('Full name').fill('Ada Lovelace');
  await emailField(page).fill('not an address');
  expect(await proceed.isDisabled()).toBe(true);
  await page.locator('#payment').getByRole('combobox').selectOption('audit');
  await proceed.click();
  await page.getByText('Please enter a valid e-mail address').waitFor();
  expect(await emailField(page).getAttribute('aria-invalid')).toBe('true');
  expect(await emailField(page).evaluate((field) => field === document.activeElement)).toBe(true);
  expectNone();
  await page.context().close();
});

test('a double click creates one order', { tags: ['core'] }, async () => {
  const email = 'double@example.com';
  const { page } = await openPage(browser, phone);
  await fillDetails(page, shop, { email });
  await continueToPayment(page).dblclick();
  await cardNumber(page).waitFor();
  expect(await ordersOf(email)).toHaveLength(1);
  await page.context().close();
});

test('reload and back button keep the same order', { tags: ['core'] }, async () => {
  const email = 'reload@example.com';
  const { page } = await openPage(browser, desktop);
  await fillDetails(page, shop, { email });
  await continueToPayment(page).click();
  await cardNumber(page).waitFor();
  await page.reload();
  await cardNumber(page).waitFor();
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'About' }).click();
  await page.waitForURL('**/about');
  await page.goBack();
  await cardNumber(page).waitFor();
  expect(await ordersOf(email)).toHaveLength(1);
  await page.context().close();
});

test('changed details create another order, unchanged ones keep it', async () => {
  const email = 'changed@example.com';
  const { page } = await openPage(browser, desktop);
  await fillDetails(page, shop, { email });
  const proceed = continueToPayment(page);
  await proceed.click();
  await cardNumber(page).waitFor();
  await page.getByRole('button', { name: 'Change details' }).click();
  await proceed.click();
  await cardNumber(page).waitFor();
  expect(await ordersOf(email)).toHaveLength(1);
  await page.getByRole('button', { name: 'Change details' }).click();
  await page.locator('#payment').getByRole('combobox').selectOption('design');
  await proceed.click();
  await cardNumber(page).waitFor();
  expect(await ordersOf(email)).toHaveLength(2);
  await page.context().close();
});

test('a purchase works by keyboard alone', { tags: ['core'] }, async () => {
  const { page, expectNone } = await openPage(browser, desktop);
  await page.goto(`${shop.url}/pricing?service=audit`);
  // The page paints before it comes to life; a key pressed before that does nothing.
  await waitFor('the arrow key chooses PayPal', async () => {
    await page.getByRole('tab', { name: 'Card' }).focus();
    await page.keyboard.press('ArrowRight');
    return (await page.getByRole('tab', { name: 'PayPal' }).getAttribute('aria-selected')) === 'true';
  });
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Tab');
  await page.keyboard.type('Ada Lovelace');
  await page.keyboard.press('Tab');
  await page.keyboard.type('keyboard@example.com');
  await page.keyboard.press('Enter');
  await cardFormReady(page);
  await cardNumber(page).focus();
  await page.keyboard.type('4242424242424242');
  await page.keyboard.type('1234');
  await page.keyboard.press('Tab');
  await page.keyboard.type('123');
  await tabTo(page, 'Complete Payment');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Payment Successful!' }).waitFor({ timeout: 20_000 });
  expectNone();
  await page.context().close();
});

test('each step of the checkout takes the focus, but a reload does not move it', async () => {
  const { page } = await openPage(browser, phone);
  await fillDetails(page, shop, { email: 'focus@example.com' });
  const heading = page.getByRole('heading', { name: 'Database Audit $2,999.00' });
  for (const method of ['Card', 'PayPal']) {
    await page.getByRole('tab', { name: method }).click();
    await continueToPayment(page).click();
    await heading.waitFor();
    await expect.poll(() => hasFocus(heading)).toBe(true);
    // Its button changes color once the fields are ready.
    if (method === 'Card') await cardFormReady(page);
    expect(await axeViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Change details' }).click();
    await expect.poll(() => hasFocus(page.getByLabel('Full name'))).toBe(true);
  }
  await continueToPayment(page).click();
  await heading.waitFor();
  await page.reload();
  await heading.waitFor();
  expect(await hasFocus(heading)).toBe(false);
  await page.context().close();
});

test('the other tab opens its payment at once, for the same order, with the focus kept', async () => {
  const email = 'switches@example.com';
  const { page, expectNone } = await openPage(browser, phone);
  await fillDetails(page, shop, { email });
  await continueToPayment(page).click();
  await cardFormReady(page);
  const paypal = page.getByRole('tab', { name: 'PayPal' });
  const announcement = page.locator('#payment-panel [aria-live]');
  const answer = await holdRequests(page, '**/api/create-paypal-order');
  // Chromium hands a click right after a scroll to the card's frame.
  await paypal.press('Enter');
  await expect.poll(() => announcement.textContent()).toBe('Preparing the payment...');
  expect(await page.getByRole('heading', { name: 'Database Audit $2,999.00' }).isVisible()).toBe(true);
  expect(await axeViolations(page)).toEqual([]);
  answer();
  await page.getByRole('button', { name: 'Pay with PayPal' }).waitFor();
  expect(await announcement.textContent()).toBe('Payment with PayPal');
  expect(await hasFocus(paypal)).toBe(true);
  await page.keyboard.press('ArrowLeft');
  await cardNumber(page).waitFor();
  expect(await hasFocus(page.getByRole('tab', { name: 'Card' }))).toBe(true);
  expect(await ordersOf(email)).toHaveLength(1);
  expectNone();
  await page.context().close();
});

test('a tab pressed while a payment is being prepared is the one that opens', async () => {
  const { page } = await openPage(browser, desktop);
  await fillDetails(page, shop, { email: 'hurries@example.com' });
  const answer = await holdRequests(page, '**/api/create-payment-intent');
  await continueToPayment(page).click();
  await page.getByRole('tab', { name: 'PayPal' }).click();
  answer();
  await page.getByRole('button', { name: 'Pay with PayPal' }).waitFor();
  expect(await ordersOf('hurries@example.com')).toHaveLength(1);
  await page.context().close();
});

test('a switch that fails keeps the details, and is tried again by the button', async () => {
  const { page } = await openPage(browser, desktop);
  await fillDetails(page, shop, { email: 'unlucky@example.com' });
  await continueToPayment(page).click();
  await cardNumber(page).waitFor();
  await page.route('**/api/create-paypal-order', (route) => route.fulfill({ status: 503, json: {} }));
  await page.getByRole('tab', { name: 'PayPal' }).click();
  await page.getByText('Failed to create PayPal order').first().waitFor();
  expect(await emailField(page).inputValue()).toBe('unlucky@example.com');
  await page.unroute('**/api/create-paypal-order');
  await continueToPayment(page).click();
  await page.getByRole('button', { name: 'Pay with PayPal' }).waitFor();
  expect(await ordersOf('unlucky@example.com')).toHaveLength(1);
  await page.context().close();
});

test('without the card provider’s script the buyer is informed and can pay another way', async () => {
  const { page } = await openPage(browser, phone);
  await page.route('**/stripe/v3/**', (route) => route.abort());
  await fillDetails(page, shop, { email: 'no-script@example.com' });
  await continueToPayment(page).click();
  await page
    .getByText(
      'Stripe is currently unavailable. Please select PayPal or contact us for alternative payment methods.',
    )
    .waitFor();
  await page.unroute('**/stripe/v3/**');
  await page.getByRole('button', { name: 'Try the card again' }).click();
  await cardNumber(page).waitFor();
  await page.context().close();
});

test('an order that expired under the card form is replaced, with the details kept', async () => {
  const email = 'expired@example.com';
  const { page } = await openPage(browser, phone);
  await fillDetails(page, shop, { email });
  await continueToPayment(page).click();
  await cardNumber(page).waitFor();
  await cancelPayment(email);
  const [first] = await ordersOf(email);
  await untilStatus(shop, first?.id ?? '', 'canceled');

  await payByCard(page);
  await page
    .getByRole('alert')
    .getByText(
      'The earlier order is closed and nothing was charged. This is a new order: please enter your card again.',
    )
    .waitFor();
  expect(await page.getByText('Payment Failed').count()).toBe(0);
  await expect.poll(async () => (await ordersOf(email)).length).toBe(2);
  await cardNumber(page).waitFor();
  await payByCard(page);

  await page.getByRole('heading', { name: 'Payment Successful!' }).waitFor({ timeout: 20_000 });
  expect(await ordersOf(email)).toHaveLength(2);
  await page.context().close();
});

test('a changed price is explained in dollars, without field names', async () => {
  const { page } = await openPage(browser, desktop);
  const price = (cents: number) => shop.db('services').where({ slug: 'audit' }).update({ price: cents });
  await price(310_000);
  try {
    await fillDetails(page, shop, { email: 'price@example.com' });
    await continueToPayment(page).click();
    await page
      .getByRole('alert')
      .getByText(
        'The price of Database Audit has changed from $2,999.00 to $3,100.00. Continue if you agree.',
      )
      .waitFor();
    const chosen = page.locator('#payment option:checked');
    expect(await chosen.textContent()).toBe('Database Audit, $3,100');
    await continueToPayment(page).click();
    await page.getByRole('heading', { name: 'Database Audit $3,100.00' }).waitFor();
  } finally {
    await price(299_900);
  }
  await page.context().close();
});

test('provider scripts load only near the payment section', async () => {
  const { page } = await openPage(browser, phone);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await openHydrated(page, `${shop.url}/pricing`);
  expect(asked.filter((url) => url.includes('/stripe/') || url.includes('stripe-payment'))).toEqual([]);
  await page.getByRole('link', { name: 'Get Started with Database Audit' }).click();
  await expect.poll(() => asked.some((url) => url.includes('/stripe/v3/'))).toBe(true);
  await page.context().close();
});

/** As the worker does with an order that nobody paid in time. */
async function cancelPayment(email: string): Promise<void> {
  const order = await shop.db('orders').where({ customer_email: email }).first('payment_intent_id');
  const answer = await fetch(
    `${shop.sandbox.url}/stripe/v1/payment_intents/${order.payment_intent_id}/cancel`,
    { method: 'POST', headers: { authorization: `Bearer ${shop.config.stripe.secretKey}` } },
  );
  expect(answer.status).toBe(200);
}

async function ordersOf(email: string): Promise<{ id: string }[]> {
  return shop.db('orders').where({ customer_email: email }).select<{ id: string }[]>('id');
}

const hasFocus = (locator: Locator) => locator.evaluate((element) => element === document.activeElement);

async function tabTo(page: Page, name: string): Promise<void> {
  const button = page.getByRole('button', { name });
  for (let presses = 0; presses < 10; presses++) {
    if (await hasFocus(button)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`${name} could not be reached by Tab`);
}

import type { Page } from 'playwright-core';
import { afterEach, describe, expect, test } from 'vitest';
import { desktop, openPage, payByCard } from '../testing/browser.ts';
import { pay, placeOrder, untilStatus } from '../testing/buyer.ts';
import { age, checkNow } from '../testing/inbox.ts';
import { withSite } from '../testing/site.ts';
import { waitFor } from '../testing/wait-for.ts';
import {
  cardNumber,
  continueToPayment,
  continueWithPaypal,
  emailField,
  fillDetails,
  openPaypalWindow,
} from './checkout-page.ts';

const { shop, browser } = await withSite({ worker: true });
afterEach(() => {
  shop.sandbox.faults.clear();
  shop.sandbox.behaviors.clear();
});

describe('a reloaded checkout', () => {
  test('whose order has expired continues with a new one', async () => {
    const { page, orderId } = await atTheCard('expired@example.com');
    await expire(orderId);
    await page.reload();
    await cardNumber(page).waitFor();
    expect(await ordersOf('expired@example.com')).toHaveLength(2);
    await page
      .getByText('The earlier order is closed and nothing was charged. This is a new order')
      .waitFor();
    await page.context().close();
  });

  test('whose order was canceled can be ordered again from its page, with the details kept', async () => {
    const { page, orderId } = await atTheCard('canceled@example.com');
    await expire(orderId);
    await page.goto(`${shop.url}/success?orderId=${orderId}`);
    await page.getByText('You are welcome to place it again.').waitFor();
    await page.getByRole('link', { name: 'Order again' }).click();
    await page.waitForURL('**/pricing?service=audit#payment');
    await expect.poll(() => page.getByLabel('Full name').inputValue()).toBe('Ada Lovelace');
    expect(await emailField(page).inputValue()).toBe('canceled@example.com');
    await page.context().close();
  });

  test('whose order was paid elsewhere ends on the order’s page', async () => {
    const { page, orderId } = await atTheCard('paid@example.com');
    const [row] = await ordersOf('paid@example.com');
    await payIntent(row?.payment_intent_id ?? '', 'pm_card_visa');
    await untilStatus(shop, orderId, 'paid');
    await page.reload();
    await page.waitForURL(`**/success?orderId=${orderId}`);
    await page.getByRole('heading', { name: 'Payment Successful!' }).waitFor();
    await page.context().close();
  });

  test('whose order is being paid links to it, and makes no second one', { tags: ['core'] }, async () => {
    const { page, orderId } = await atTheCard('debit@example.com');
    const [row] = await ordersOf('debit@example.com');
    await payIntent(row?.payment_intent_id ?? '', 'pm_usBankAccount');
    await untilStatus(shop, orderId, 'processing');
    await page.reload();
    await page.getByText('A payment for this order is already in progress.').waitFor();
    await continueToPayment(page).click();
    await page.getByRole('link', { name: 'See this order' }).waitFor();
    expect(await ordersOf('debit@example.com')).toHaveLength(1);
    await page.getByRole('link', { name: 'See this order' }).click();
    await page.waitForURL(`**/success?orderId=${orderId}`);
    await page.context().close();
  });
});

describe('an order’s link in another browser', () => {
  test.each(['pending', 'failed'] as const)(
    'lets the buyer pay the same order while it is %s',
    async (status) => {
      const email = `${status}@example.com`;
      const order = await placeOrder(shop, { customerEmail: email });
      if (status === 'failed') await pay(shop, order, 'pm_card_chargeDeclined');
      await untilStatus(shop, order.orderId, status);
      const { page, expectNone } = await openPage(browser, desktop);
      await page.goto(`${shop.url}/success?orderId=${order.orderId}`);
      await page.getByRole('link', { name: /Pay now|Try again/ }).click();
      await page.waitForURL(`**/pricing?order=${order.orderId}#payment`);
      await page.locator('#payment').getByText(email).waitFor();
      await payByCard(page);
      await page.waitForURL(`**/success?orderId=${order.orderId}*`);
      await page.getByRole('heading', { name: 'Payment Successful!' }).waitFor();
      expect(await ordersOf(email)).toHaveLength(1);
      expectNone();
      await page.context().close();
    },
  );

  test('pays it with PayPal, and after a reload', { tags: ['core'] }, async () => {
    const order = await placeOrder(shop, { customerEmail: 'adopted@example.com' });
    const { page } = await openPage(browser, desktop);
    await page.goto(`${shop.url}/pricing?order=${order.orderId}#payment`);
    await cardNumber(page).waitFor();
    await page.reload();
    await cardNumber(page).waitFor();
    await page.getByRole('tab', { name: 'PayPal' }).click();
    const popup = await openPaypalWindow(page);
    await popup.getByRole('button', { name: 'Pay now' }).click();
    await page.waitForURL(`**/success?orderId=${order.orderId}`);
    expect(await ordersOf('adopted@example.com')).toHaveLength(1);
    await page.context().close();
  });

  test('is retried with one click after an outage of the provider', { tags: ['core'] }, async () => {
    const order = await placeOrder(shop);
    shop.sandbox.faults.add({ target: 'stripe', mode: 'error' });
    const { page } = await openPage(browser, desktop);
    await page.goto(`${shop.url}/pricing?order=${order.orderId}#payment`);
    await page.getByText('Stripe is currently unavailable.').first().waitFor();
    shop.sandbox.faults.clear();
    await continueToPayment(page).click();
    await cardNumber(page).waitFor();
    await page.context().close();
  });
});

test('a changed price is shown, and the next click pays it', async () => {
  const { page } = await openPage(browser, desktop);
  await fillDetails(page, shop, { email: 'price@example.com' });
  await shop.db('services').where({ slug: 'audit' }).update({ price: 309_900 });
  try {
    await continueToPayment(page).click();
    await page.getByText('has changed from $2,999.00 to $3,099.00. Continue if you agree.').waitFor();
    await page.locator('#payment').getByText('$3,099.00').first().waitFor();
    await continueToPayment(page).click();
    await cardNumber(page).waitFor();
    expect(await ordersOf('price@example.com')).toMatchObject([{ amount: 309_900 }]);
  } finally {
    await shop.db('services').where({ slug: 'audit' }).update({ price: 299_900 });
  }
  await page.context().close();
});

describe('PayPal', () => {
  test('declines the card: the reason is shown, and its window opens again', async () => {
    const { page } = await openPage(browser, desktop);
    await continueWithPaypal(page, shop, 'restart@example.com');
    const first = await openPaypalWindow(page);
    await first.getByRole('combobox').selectOption('declined');
    const [second] = await Promise.all([
      page.waitForEvent('popup'),
      first.getByRole('button', { name: 'Pay now' }).click(),
    ]);
    await page.getByRole('alert').filter({ hasText: 'Please choose another one' }).waitFor();
    await second.waitForURL('**/checkoutnow?token=*');
    await second.getByRole('button', { name: 'Pay now' }).click();
    await page.waitForURL('**/success?orderId=*');
    expect(await ordersOf('restart@example.com')).toHaveLength(1);
    await page.context().close();
  });

  test('refuses the payer: the page says to pay by card', async () => {
    const { page } = await openPage(browser, desktop);
    shop.sandbox.behaviors.add({ name: 'paypal-capture-issue', value: 'PAYER_CANNOT_PAY' });
    await continueWithPaypal(page, shop, 'refused@example.com');
    await (await openPaypalWindow(page)).getByRole('button', { name: 'Pay now' }).click();
    await page
      .locator('#payment-panel')
      .getByRole('alert')
      .getByText('Please pay by card instead.')
      .waitFor();
    await page.getByText('Payment Failed', { exact: true }).waitFor();
    expect(await page.getByText('Please pay by card instead.').count(), 'announced once').toBe(1);
    await page.context().close();
  });

  test.each([
    ['is down', 503],
    ['cannot be reached', 0],
  ])(
    'was asked to capture by a server that %s: the buyer sees the order’s page, not the card form',
    async (_what, status) => {
      const { page } = await openPage(browser, desktop);
      await page.route('**/api/paypal/order/*/capture', (route) =>
        status ? route.fulfill({ status, json: {} }) : route.abort(),
      );
      const email = `undecided-${status}@example.com`;
      await continueWithPaypal(page, shop, email);
      await (await openPaypalWindow(page)).getByRole('button', { name: 'Pay now' }).click();
      await page.waitForURL('**/success?orderId=*');
      await untilStatus(shop, (await ordersOf(email))[0]?.id ?? '', 'paid');
      await page.context().close();
    },
  );

  test('gets a new client token after a quarter of an hour', { tags: ['core'] }, async () => {
    const { page } = await openPage(browser, desktop);
    await page.clock.install();
    let tokens = 0;
    page.on('request', (request) => {
      if (request.url().endsWith('/api/paypal/setup')) tokens += 1;
    });
    await continueWithPaypal(page, shop, 'token@example.com');
    await page.getByRole('button', { name: 'Pay with PayPal' }).waitFor();
    expect(tokens).toBe(1);
    await page.clock.fastForward('16:00');
    await (await openPaypalWindow(page)).getByRole('button', { name: 'Pay now' }).click();
    await page.waitForURL('**/success?orderId=*');
    expect(tokens).toBeGreaterThan(1);
    await page.context().close();
  });

  test('shows how long to wait when rate-limited', async () => {
    const { page } = await openPage(browser, desktop);
    const message = 'Too many requests. Please try again in 4 minutes.';
    await page.route('**/api/create-paypal-order', (route) =>
      route.fulfill({ status: 429, json: { code: 'rate_limited', message } }),
    );
    await continueWithPaypal(page, shop, 'often@example.com');
    await page.getByText(message).first().waitFor();
    await page.context().close();
  });

  test('cannot open its window: the page says so', async () => {
    const { page } = await openPage(browser, desktop);
    await page.addInitScript(() => {
      window.open = () => null;
    });
    await continueWithPaypal(page, shop, 'blocked-window@example.com');
    await page.getByRole('button', { name: 'Pay with PayPal' }).click();
    await page.getByRole('alert').filter({ hasText: 'could not be opened' }).waitFor();
    await page.context().close();
  });
});

async function atTheCard(email: string): Promise<{ page: Page; orderId: string }> {
  const { page } = await openPage(browser, desktop);
  await fillDetails(page, shop, { email });
  await continueToPayment(page).click();
  await cardNumber(page).waitFor();
  const [order] = await waitFor('the order', () => ordersOf(email));
  return { page, orderId: order?.id ?? '' };
}

/** The worker cancels the unpaid order of yesterday. */
async function expire(orderId: string): Promise<void> {
  await age(shop, orderId, '25 hours');
  await checkNow(shop, orderId);
  await untilStatus(shop, orderId, 'canceled');
}

async function payIntent(id: string, method: string): Promise<void> {
  await shop.sandbox.stripeClient.paymentIntents.confirm(id, {
    payment_method: method,
    return_url: `${shop.url}/success`,
  });
}

async function ordersOf(email: string) {
  return shop
    .db('orders')
    .where({ customer_email: email })
    .select<{ id: string; amount: number; payment_intent_id: string | null }[]>();
}

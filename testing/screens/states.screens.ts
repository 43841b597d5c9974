import type { Locator, Page } from 'playwright-core';
import { describe, test } from 'vitest';
import type { OrderView } from '../../core/orders.ts';
import { paths, successFor } from '../../core/paths.ts';
import type { SessionList } from '../../core/sessions.ts';
import { cardNumber, continueToPayment, continueWithPaypal, fillDetails } from '../../e2e/checkout-page.ts';
import { accountMenu, signInAs } from '../browser.ts';
import { withSite } from '../site.ts';
import { type Look, looks, openLook, shoot } from './looks.ts';
import { openAlbum } from './pictures.ts';

const { shop, browser } = await withSite();
const album = openAlbum('states');

/** Brings the page into a state. Returns the part to look at. */
type Arrange = (page: Page, look: Look) => Promise<Locator>;

const order: OrderView = {
  id: '7d0c3a52-9f6e-4b1d-8a27-5e4f1c90b3d8',
  serviceId: 'c1ae0c39-5b52-4c57-9a3a-0a8f7d1e6f20',
  amount: 299_900,
  amountRefunded: 0,
  moneyTaken: 'none',
  debitReturned: false,
  currency: 'USD',
  paymentMethod: 'stripe',
  methodType: null,
  status: 'pending',
  customerEmail: 'maya.lindqvist@northfreight.example',
  failureReason: null,
  createdAt: '2026-11-12T17:40:00Z',
  paidAt: null,
};
const paid = { paidAt: '2026-11-12T17:42:00Z', moneyTaken: 'held' } as const;
const orders: Record<string, Partial<OrderView>> = {
  pending: {},
  processing: { status: 'processing' },
  paid: { status: 'paid', ...paid },
  failed: { status: 'failed', failureReason: 'Your card has insufficient funds.' },
  canceled: { status: 'canceled' },
  'canceled-with-money': { status: 'canceled', moneyTaken: 'held' },
  'partially-refunded': { status: 'partially_refunded', amountRefunded: 50_000, ...paid },
  refunded: { status: 'refunded', amountRefunded: 299_900, ...paid },
  'debit-returned': { status: 'refunded', amountRefunded: 299_900, debitReturned: true, ...paid },
  disputed: { status: 'disputed', ...paid },
  review: { status: 'review', moneyTaken: 'held' },
};

const states: Record<string, Arrange> = {
  ...Object.fromEntries(Object.entries(orders).map(([name, facts]) => [`order-${name}`, orderPage(facts)])),

  async 'order-unknown'(page) {
    await page.goto(`${shop.url}${successFor('00000000-0000-4000-8000-000000000000')}`);
    await page.getByRole('heading', { name: 'We cannot find this order' }).waitFor();
    return page.locator('main');
  },

  async 'order-unreachable'(page) {
    await page.route('**/api/orders/**', (route) => route.fulfill({ status: 503, json: {} }));
    await page.goto(`${shop.url}${successFor(order.id)}`);
    await page.getByRole('heading', { name: 'Your order could not be loaded' }).waitFor();
    return page.locator('main');
  },

  async 'order-loading'(page) {
    await page.route('**/api/orders/**', () => {});
    await page.goto(`${shop.url}${successFor(order.id)}`);
    await page.getByRole('heading', { name: 'Loading order details...' }).waitFor();
    return page.locator('main');
  },

  async 'checkout-details'(page) {
    await fillDetails(page, shop);
    return page.locator('#payment');
  },

  async 'checkout-refused-address'(page) {
    await fillDetails(page, shop, { email: 'ada@example' });
    await continueToPayment(page).click();
    await page.getByText('Please enter a valid e-mail address').first().waitFor();
    return page.locator('#payment form');
  },

  async 'checkout-card'(page) {
    await fillDetails(page, shop);
    await continueToPayment(page).click();
    await cardNumber(page).waitFor();
    await page.getByRole('button', { name: 'Complete Payment', disabled: false }).waitFor();
    return page.locator('#payment');
  },

  async 'checkout-card-unavailable'(page) {
    await page.route('**/stripe/v3/**', (route) => route.abort());
    await fillDetails(page, shop);
    await continueToPayment(page).click();
    await page.getByText('Stripe is currently unavailable.').waitFor();
    return page.locator('#payment .card').first();
  },

  async 'checkout-paypal'(page) {
    await continueWithPaypal(page, shop, 'ada@example.com');
    await page.getByRole('button', { name: 'Pay with PayPal' }).waitFor();
    return page.locator('#payment .card').first();
  },

  async 'contact-refused'(page) {
    await page.goto(`${shop.url}${paths.contact}`);
    await page.getByRole('button', { name: 'Send Message' }).click();
    await page.getByText('Please tell us your name').waitFor();
    return page.locator('main form');
  },

  async 'services-unreachable'(page) {
    await page.route('**/api/services', (route) => route.fulfill({ status: 503, json: {} }));
    await page.goto(`${shop.url}${paths.services}`, { waitUntil: 'networkidle' });
    return page.locator('main section').first();
  },

  async menu(page, [width]) {
    if (width < 1024) {
      await page.goto(shop.url, { waitUntil: 'networkidle' });
      await page.getByRole('button', { name: 'Open menu' }).click();
      return page.getByRole('banner');
    }
    await signInAs(shop, page, 'Grace Hooper');
    await accountMenu(page).click();
    return page.getByRole('menu');
  },

  async 'signed-in-home'(page, [width]) {
    await signInAs(shop, page, 'Grace Hooper');
    if (width < 1024) await page.getByRole('button', { name: 'Open menu' }).click();
    return page.getByRole('banner');
  },

  async 'toast-success'(page) {
    await page.route('**/api/newsletter/subscribe', (route) => route.fulfill({ json: {} }));
    return subscribe(page, 'Subscribed!');
  },

  async 'toast-failure'(page) {
    await page.route('**/api/newsletter/subscribe', (route) => route.fulfill({ status: 503, json: {} }));
    return subscribe(page, 'Subscription Failed');
  },

  async offline(page) {
    await page.goto(shop.url, { waitUntil: 'networkidle' });
    await page.context().setOffline(true);
    const notice = page.getByText('You are offline.');
    await notice.waitFor();
    return notice;
  },

  async enroll(page) {
    await signInAs(shop, page, 'Grace Hooper');
    await page.goto(`${shop.url}${paths.enroll}`, { waitUntil: 'networkidle' });
    await page.getByLabel('Company name').waitFor();
    return page.locator('main');
  },

  async account(page) {
    await signInAs(shop, page, 'Grace Hooper');
    await page.route('**/api/account', (route) => route.fulfill({ json: account }));
    await page.route('**/api/account/sessions', (route) => route.fulfill({ json: sessions }));
    await page.goto(`${shop.url}${paths.account}`, { waitUntil: 'networkidle' });
    await page.getByText('Firefox on Windows').waitFor();
    return page.locator('main');
  },
};

const account = {
  email: 'grace.hooper@example.com',
  name: 'Grace Hooper',
  enrollmentStatus: 'completed',
  newsletter: 'confirmed',
  orders: [
    { ...order, ...orders.paid, serviceName: 'Database Audit' },
    { ...order, ...orders.refunded, serviceName: 'Migration Planning', amount: 599_900 },
  ].map(({ id, serviceName, amount, amountRefunded, currency, status, createdAt }) => ({
    ...{ id, serviceName, amount, amountRefunded, currency, status, createdAt },
  })),
};

const times = { signedInAt: '2026-11-12T08:02:00Z', lastSeenAt: '2026-11-12T11:45:00Z' };
const sessions: SessionList = {
  sessions: [
    { id: 'a', device: 'Chrome on Mac', isCurrent: true, ...times },
    { id: 'b', device: 'Firefox on Windows', isCurrent: false, ...times },
    { id: 'c', device: null, isCurrent: false, ...times },
  ],
};

describe.each(looks)('at %i px, %s', (...look) => {
  test.each(Object.entries(states))('%s looks as it did', async (name, arrange) => {
    const page = await openLook(browser, look);
    const part = await arrange(page, look);
    await album.expectSame([name, ...look].join('-'), () => shoot(page, part));
    await page.context().close();
  });
});

/** Ends with the toast of this title, which stays, because the page's clock is stopped. */
async function subscribe(page: Page, title: string): Promise<Locator> {
  await page.clock.install();
  await page.goto(`${shop.url}${paths.about}`, { waitUntil: 'networkidle' });
  const form = page.getByRole('contentinfo').locator('form');
  await form.getByRole('textbox').first().fill('ada@example.com');
  await form.getByRole('button').click();
  const toast = page.locator('.toast').filter({ hasText: title });
  await toast.waitFor();
  await page.clock.pauseAt(Date.now() + 1000);
  return toast;
}

function orderPage(facts: Partial<OrderView>): Arrange {
  return async (page) => {
    await page.route('**/api/orders/**', (route) =>
      route.request().url().endsWith('/events')
        ? route.fulfill({ status: 204 })
        : route.fulfill({ json: { ...order, ...facts } }),
    );
    await page.route(`**/api/services/${order.serviceId}`, (route) => route.fulfill({ json: service }));
    await page.goto(`${shop.url}${successFor(order.id)}`);
    await page.getByText('Database Audit', { exact: true }).first().waitFor();
    return page.locator('main');
  };
}

const service = {
  id: order.serviceId,
  slug: 'audit',
  name: 'Database Audit',
  description: 'A full check.',
  price: 299_900,
};

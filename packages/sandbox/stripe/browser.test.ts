import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { launchBrowser, startShop, type TestShop } from '../testing/browser.ts';
import { type RunningSandbox, startSandbox } from '../testing/sandbox.ts';

let browser: Browser;
let sandbox: RunningSandbox;
let shop: TestShop;
let page: Page;
let complaints: string[];

beforeAll(async () => {
  sandbox = await startSandbox();
  shop = await startShop(sandbox.url, shopPage(sandbox.url), shopScript);
  browser = await launchBrowser();
}, 60_000);
beforeEach(async () => {
  page = await browser.newPage();
  complaints = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
});
afterEach(() => page.close());
afterAll(async () => {
  await browser?.close();
  await shop?.close();
  await sandbox?.close();
});

test('pays a valid card in the frame and returns with the outcome', {
  timeout: 30_000,
}, async () => {
  const intent = await openShop();
  await fillCard('4242424242424242');
  await page.getByRole('button', { name: 'Pay' }).click();
  await page.waitForURL(/\/success/);
  expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({
    orderId: 'o-1',
    payment_intent: intent.id,
    payment_intent_client_secret: intent.client_secret,
    redirect_status: 'succeeded',
  });
  expect(complaints).toEqual([]);
});

test('reports a declined card on the page and accepts another', { timeout: 30_000 }, async () => {
  await openShop();
  await fillCard('4000000000000002');
  await page.getByRole('button', { name: 'Pay' }).click();
  await expectOutcome({ type: 'card_error', code: 'card_declined', message: 'Your card was declined.' });
  await fillCard('4242424242424242');
  await page.getByRole('button', { name: 'Pay' }).click();
  await page.waitForURL(/\/success/);
});

test('reports unfinished fields on the page and in the frame', { timeout: 30_000 }, async () => {
  await openShop();
  await page.getByRole('button', { name: 'Pay' }).click();
  await expectOutcome({ type: 'validation_error', message: 'Your card number is incomplete.' });
  const frame = page.frameLocator('iframe');
  await frame.getByText('Your card number is incomplete.').waitFor();
  expect(complaints).toEqual([]);
});

test('keeps its height while the page gives it no width', { timeout: 30_000 }, async () => {
  // A screenshot of a whole page does that, and so does a hidden tab.
  await page.addInitScript(() => {
    const seen: number[] = [];
    Object.assign(window, { seen });
    if (window.parent !== window) {
      document.addEventListener('DOMContentLoaded', () => {
        const form = document.querySelector('form') as HTMLFormElement;
        new ResizeObserver(() => seen.push(form.clientWidth)).observe(form);
      });
    } else {
      window.addEventListener('message', ({ data }) => data.kind === 'height' && seen.push(data.detail));
    }
  });
  await openShop();
  const place = page.locator('iframe');
  const form = page.frameLocator('iframe').locator('form');
  await form.waitFor();
  const seenIn = (body: Locator): Promise<number[]> =>
    body.evaluate(() => (window as unknown as { seen: number[] }).seen);
  const heights = () => seenIn(page.locator('body'));
  const widths = () => seenIn(form);
  await expect.poll(heights).not.toEqual([]);
  const before = (await heights()).at(-1) ?? 0;

  await place.evaluate((frame) => {
    frame.style.width = '0';
  });
  await expect.poll(widths).toContain(0);
  await place.evaluate((frame) => {
    frame.style.width = '100%';
  });
  await expect.poll(async () => (await widths()).at(-1)).toBeGreaterThan(0);
  await page.getByRole('button', { name: 'Pay' }).click();
  await expect.poll(async () => (await heights()).at(-1)).toBeGreaterThan(before);

  const untilPressed = (await heights()).slice(0, -1);
  expect(Math.max(...untilPressed)).toBe(before);
});

test('leads through the bank’s 3-D Secure page and back', { timeout: 30_000 }, async () => {
  const intent = await openShop();
  await fillCard('4000002500003155');
  await page.getByRole('button', { name: 'Pay' }).click();
  await page.getByRole('button', { name: 'Complete' }).click();
  await page.waitForURL(/\/success.*redirect_status=succeeded/);
  expect((await sandbox.stripeClient.paymentIntents.retrieve(intent.id)).status).toBe('succeeded');
});

async function openShop() {
  const intent = await sandbox.stripeClient.paymentIntents.create({ amount: 299900, currency: 'usd' });
  await page.goto(`${shop.url}/#${intent.client_secret}`);
  return intent;
}

async function fillCard(number: string) {
  const frame = page.frameLocator('iframe[title="Secure payment input frame"]');
  await frame.getByLabel('Card number').fill('');
  await frame.getByLabel('Card number').pressSequentially(number);
  await frame.getByLabel('Expiration date').fill('');
  await frame.getByLabel('Expiration date').pressSequentially('1234');
  await frame.getByLabel('CVC').fill('123');
}

async function expectOutcome(error: object) {
  await expect
    .poll(async () => JSON.parse((await page.locator('#outcome').textContent()) || '{}'))
    .toMatchObject(error);
}

const shopPage = (sandboxUrl: string) =>
  `<div id="payment"></div><button disabled>Pay</button><script src="${sandboxUrl}/stripe/v3/"></script>`;

const shopScript = `
  const stripe = Stripe('pk_test_sandbox');
  const clientSecret = location.hash.slice(1);
  const elements = stripe.elements({ clientSecret });
  elements.create('payment').mount('#payment');
  elements.getElement('payment').on('ready', () => { document.querySelector('button').disabled = false; });
  document.querySelector('button').addEventListener('click', async () => {
    document.querySelector('#outcome').textContent = '';
    const submitted = await elements.submit();
    const result = submitted.error ? submitted : await stripe.confirmPayment({
      elements, clientSecret, confirmParams: { return_url: location.origin + '/success?orderId=o-1' },
    });
    document.querySelector('#outcome').textContent = JSON.stringify(result.error);
  });`;

import type { Locator } from 'playwright-core';
import { expect, test } from 'vitest';
import { withBrowser } from '../testing/with-browser.ts';

const running = withBrowser((url) => ({ page: shopPage(url), script: shopScript }));

test('pays a valid card in the frame and returns with the outcome', {
  timeout: 30_000,
}, async () => {
  const intent = await openShop();
  await fillCard('4242424242424242');
  await running.page.getByRole('button', { name: 'Pay' }).click();
  await running.page.waitForURL(/\/success/);
  expect(Object.fromEntries(new URL(running.page.url()).searchParams)).toEqual({
    orderId: 'o-1',
    payment_intent: intent.id,
    payment_intent_client_secret: intent.client_secret,
    redirect_status: 'succeeded',
  });
  expect(running.complaints).toEqual([]);
});

test('reports a declined card on the page and accepts another', { timeout: 30_000 }, async () => {
  await openShop();
  await fillCard('4000000000000002');
  await running.page.getByRole('button', { name: 'Pay' }).click();
  await expectOutcome({ type: 'card_error', code: 'card_declined', message: 'Your card was declined.' });
  await fillCard('4242424242424242');
  await running.page.getByRole('button', { name: 'Pay' }).click();
  await running.page.waitForURL(/\/success/);
});

test('reports unfinished fields on the page and in the frame', { timeout: 30_000 }, async () => {
  await openShop();
  await running.page.getByRole('button', { name: 'Pay' }).click();
  await expectOutcome({ type: 'validation_error', message: 'Your card number is incomplete.' });
  const frame = running.page.frameLocator('iframe');
  await frame.getByText('Your card number is incomplete.').waitFor();
  expect(running.complaints).toEqual([]);
});

test('keeps its height while the page gives it no width', { timeout: 30_000 }, async () => {
  // A screenshot of a whole page does that, and so does a hidden tab.
  await running.page.addInitScript(() => {
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
  const place = running.page.locator('iframe');
  const form = running.page.frameLocator('iframe').locator('form');
  await form.waitFor();
  const seenIn = (body: Locator): Promise<number[]> =>
    body.evaluate(() => (window as unknown as { seen: number[] }).seen);
  const heights = () => seenIn(running.page.locator('body'));
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
  await running.page.getByRole('button', { name: 'Pay' }).click();
  await expect.poll(async () => (await heights()).at(-1)).toBeGreaterThan(before);

  const untilPressed = (await heights()).slice(0, -1);
  expect(Math.max(...untilPressed)).toBe(before);
});

test('leads through the bank’s 3-D Secure page and back', { timeout: 30_000 }, async () => {
  const intent = await openShop();
  await fillCard('4000002500003155');
  await running.page.getByRole('button', { name: 'Pay' }).click();
  await running.page.getByRole('button', { name: 'Complete' }).click();
  await running.page.waitForURL(/\/success.*redirect_status=succeeded/);
  expect((await running.sandbox.stripeClient.paymentIntents.retrieve(intent.id)).status).toBe('succeeded');
});

async function openShop() {
  const intent = await running.sandbox.stripeClient.paymentIntents.create({
    amount: 299900,
    currency: 'usd',
  });
  await running.page.goto(`${running.shop.url}/#${intent.client_secret}`);
  return intent;
}

async function fillCard(number: string) {
  const frame = running.page.frameLocator('iframe[title="Secure payment input frame"]');
  await frame.getByLabel('Card number').fill('');
  await frame.getByLabel('Card number').pressSequentially(number);
  await frame.getByLabel('Expiration date').fill('');
  await frame.getByLabel('Expiration date').pressSequentially('1234');
  await frame.getByLabel('CVC').fill('123');
}

async function expectOutcome(error: object) {
  await expect
    .poll(async () => JSON.parse((await running.page.locator('#outcome').textContent()) || '{}'))
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

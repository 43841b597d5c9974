import { afterEach, describe, expect, test } from 'vitest';
import { desktop, fillCard, openPage, payByCard, phone } from '../testing/browser.ts';
import { placeOrder, untilStatus } from '../testing/buyer.ts';
import { age, checkNow } from '../testing/inbox.ts';
import { withSite } from '../testing/site.ts';
import { cardNumber, continueToPayment, fillDetails } from './checkout-page.ts';

const { shop, browser } = await withSite({ worker: true });
afterEach(() => shop.sandbox.behaviors.clear());

test('the card’s labels follow the system theme, and what was typed stays', async () => {
  const { page } = await openPage(browser, { ...phone, colorScheme: 'light' });
  await fillDetails(page, shop);
  await continueToPayment(page).click();
  await fillCard(page);
  const label = page.frameLocator('iframe[title="Secure payment input frame"]').getByText('Card number');
  const colors = async () => ({
    label: await label.evaluate((element) => getComputedStyle(element).color),
    page: await page
      .locator('#payment h3')
      .first()
      .evaluate((element) => getComputedStyle(element).color),
  });
  const light = await colors();
  expect(light.label).toBe(light.page);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect.poll(async () => (await colors()).label).toBe((await colors()).page);
  expect((await colors()).label).not.toBe(light.label);
  expect(await cardNumber(page).inputValue()).toBe('4242 4242 4242 4242');
  await page.emulateMedia({ colorScheme: 'light' });
  await expect.poll(colors).toEqual(light);
  await page.context().close();
});

test('a declined card’s reason stays beside the button until the next press', async () => {
  const { page } = await openPage(browser, phone);
  await fillDetails(page, shop);
  await continueToPayment(page).click();
  await payByCard(page, '4000 0000 0000 0002');
  const reason = page.locator('#payment form').getByText('Your card was declined.');
  await reason.waitFor();
  await page.route('**/stripe/v1/payment_intents/*/confirm', () => undefined);
  await payByCard(page);
  await reason.waitFor({ state: 'detached' });
  await page.context().close();
});

test('card fields that cannot be loaded are offered again', async () => {
  const { page } = await openPage(browser, desktop);
  await page.addInitScript(failFirstElement);
  await fillDetails(page, shop);
  await continueToPayment(page).click();
  await page.getByText('Stripe is currently unavailable.').waitFor();
  await page.getByRole('button', { name: 'Try the card again' }).click();
  await payByCard(page);
  await page.getByRole('heading', { name: 'Payment Successful!' }).waitFor({ timeout: 20_000 });
  await page.context().close();
});

describe('the link to pay an order', () => {
  test('that has expired says so, and leads to the order', async () => {
    const { orderId } = await placeOrder(shop);
    await age(shop, orderId, '25 hours');
    await checkNow(shop, orderId);
    await untilStatus(shop, orderId, 'canceled');
    const { page } = await openPage(browser, phone);
    await page.goto(`${shop.url}/pricing?order=${orderId}#payment`);
    const box = page.locator('#payment').getByRole('alert');
    await box.getByText(await refusalOf(orderId)).waitFor();
    await box.getByRole('link', { name: 'See this order' }).click();
    await page.getByRole('heading', { name: 'This order was canceled' }).waitFor();
    await page.context().close();
  });

  test('of an unknown order says so, and leads to its page', async () => {
    const { page } = await openPage(browser, phone);
    await page.goto(`${shop.url}/pricing?order=00000000-0000-4000-8000-000000000000#payment`);
    const box = page.locator('#payment').getByRole('alert');
    await box.getByText('We cannot find this order.').waitFor();
    await box.getByRole('link', { name: 'See this order' }).click();
    await page.getByRole('heading', { name: 'We cannot find this order' }).waitFor();
    await page.context().close();
  });

  test('can be tried again when the order could not be loaded', async () => {
    const { orderId } = await placeOrder(shop);
    const { page } = await openPage(browser, phone);
    await page.route('**/api/orders/*', (route) => route.abort());
    await page.goto(`${shop.url}/pricing?order=${orderId}#payment`);
    const box = page.locator('#payment').getByRole('alert');
    await box.getByText('Your order could not be loaded.').waitFor();
    await page.unroute('**/api/orders/*');
    await box.getByRole('button', { name: 'Try again' }).click();
    await cardNumber(page).waitFor();
    expect(await box.count()).toBe(0);
    await page.context().close();
  });
});

/** The server's answer to a request to pay for the order. */
async function refusalOf(orderId: string): Promise<string> {
  const answer = await fetch(`${shop.url}/api/orders/${orderId}/payment`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: shop.url },
    body: JSON.stringify({ paymentMethod: 'stripe' }),
  });
  expect(answer.status).toBe(409);
  return ((await answer.json()) as { message: string }).message;
}

/** Runs in the page: Stripe's first element reports that it could not be loaded, the next ones work. */
function failFirstElement(): void {
  let left = 1;
  let made: unknown;
  Object.defineProperty(window, 'Stripe', {
    configurable: true,
    get: () => made,
    set(Stripe: (...key: unknown[]) => { elements: (settings: unknown) => FakeElements }) {
      made = (...key: unknown[]) => {
        const stripe = Stripe(...key);
        const { elements } = stripe;
        stripe.elements = (settings) => {
          const group = elements(settings);
          const { create } = group;
          group.create = (...wanted) => {
            const element = create(...wanted);
            const { on } = element;
            if (left-- <= 0) return element;
            element.on = (event, listener) => {
              if (event === 'loaderror')
                setTimeout(() => listener({ elementType: 'payment', error: {} }), 50);
              return event === 'ready' ? element : on(event, listener);
            };
            return element;
          };
          return group;
        };
        return stripe;
      };
    },
  });

  interface FakeElement {
    on: (event: string, listener: (detail: unknown) => void) => FakeElement;
  }
  interface FakeElements {
    create: (...wanted: unknown[]) => FakeElement;
  }
}

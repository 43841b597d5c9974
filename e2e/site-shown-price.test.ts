import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { desktop, holdRequests, openPage, payByCard, phone } from '../testing/browser.ts';
import { withSite } from '../testing/site.ts';
import { cardNumber, continueToPayment, emailField, fillDetails } from './checkout-page.ts';

const { shop, browser } = await withSite({ worker: true });

describe('what the page shows is what the card is charged', () => {
  test.each(['slug', 'id'] as const)(
    'after a reload of an address with the %s of another service',
    async (by) => {
      const { page } = await openPage(browser, desktop);
      const email = `reload-${by}@example.com`;
      await buyDesignAtTheAddressOf(by === 'slug' ? 'audit' : await idOf('audit'), page, email);
      await page.reload();
      await paysAsShown(page, email, 'Schema Design $4,999.00', 499_900);
    },
  );

  test('after leaving such an address and coming back', async () => {
    const { page } = await openPage(browser, desktop);
    const email = 'back@example.com';
    await buyDesignAtTheAddressOf('audit', page, email);
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'About' }).click();
    await page.waitForURL('**/about');
    await page.goBack();
    await paysAsShown(page, email, 'Schema Design $4,999.00', 499_900);
  });

  test('when another service is started while an order is open', async () => {
    const { page } = await openPage(browser, desktop);
    const email = 'another@example.com';
    await buyDesignAtTheAddressOf('audit', page, email);
    await page.goto(`${shop.url}/services/migration-planning`);
    await page.goto(`${shop.url}/pricing?service=migration#payment`);
    await continueToPayment(page).click();
    await paysAsShown(page, email, 'Migration Planning $5,999.00', 599_900);
  });

  test('when the buyer edits the details while the order is created', async () => {
    const { page } = await openPage(browser, phone);
    const email = 'slow@example.com';
    const release = await holdOrder(page, email);
    await emailField(page).focus();
    await page.keyboard.type('x');
    await page.locator('#payment').getByRole('combobox').focus();
    await page.keyboard.press('ArrowUp');
    release();
    await page.getByText(email).waitFor();
    await paysAsShown(page, email, 'Migration Planning $5,999.00', 599_900);
  });

  test('when the buyer starts another service while the order is created', async () => {
    const { page } = await openPage(browser, desktop);
    const email = 'replaced@example.com';
    const release = await holdOrder(page, email);
    await page.getByRole('link', { name: 'Get Started with Database Audit' }).click();
    const answered = page.waitForResponse('**/api/create-payment-intent');
    release();
    await (await answered).finished();
    await continueToPayment(page).click();
    await paysAsShown(page, email, 'Database Audit $2,999.00', 299_900);
  });
});

async function buyDesignAtTheAddressOf(service: string, page: Page, email: string): Promise<void> {
  await page.goto(`${shop.url}/pricing?service=${service}`);
  const chosen = page.locator('#payment').getByRole('combobox');
  await expect.poll(() => chosen.inputValue()).toBe('audit');
  await page.getByLabel('Full name').fill('Ada Lovelace');
  await emailField(page).fill(email);
  await chosen.selectOption('design');
  await continueToPayment(page).click();
  await cardNumber(page).waitFor();
}

/** Submits an order for Migration Planning. The server receives it once the result is called. */
async function holdOrder(page: Page, email: string): Promise<() => void> {
  await fillDetails(page, shop, { email, service: 'migration' });
  const release = await holdRequests(page, '**/api/create-payment-intent');
  await continueToPayment(page).click();
  await page.getByText('One moment...').waitFor();
  return release;
}

/** Pays by card. The heading, the charge and the page of the order name the same service and amount. */
async function paysAsShown(page: Page, email: string, heading: string, cents: number): Promise<void> {
  await cardNumber(page).waitFor();
  expect(await page.locator('#payment h3').first().textContent()).toBe(heading);
  await payByCard(page);
  await page.getByRole('heading', { name: 'Payment Successful!' }).waitFor({ timeout: 20_000 });
  const id = new URL(page.url()).searchParams.get('orderId');
  const order = await shop.db('orders').where({ id, customer_email: email }).first('payment_intent_id');
  const { amount_received } = await shop.sandbox.stripeClient.paymentIntents.retrieve(
    order.payment_intent_id,
  );
  expect(amount_received).toBe(cents);
  const [service = ''] = heading.split(' $');
  await page.locator('main').getByText(service, { exact: true }).waitFor();
  await page.context().close();
}

async function idOf(slug: string): Promise<string> {
  const { id } = await shop.db('services').where({ slug }).first('id');
  return id;
}

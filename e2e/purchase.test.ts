/** @module-tag core */
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { desktop, openPage, payByCard, phone } from '../testing/browser.ts';
import { mailsAbout } from '../testing/buyer.ts';
import { withSite } from '../testing/site.ts';
import { waitFor } from '../testing/wait-for.ts';
import { continueToPayment, fillDetails } from './checkout-page.ts';

const { shop, browser } = await withSite({ worker: true });

describe('a visitor buys by card', () => {
  test.each([
    ['a phone', phone],
    ['a desktop', desktop],
  ])('on %s: details, card, success page turns paid, mails arrive', async (_name, size) => {
    const { page, expectNone } = await openPage(browser, size);
    await beginPayment(page);
    await payByCard(page, '4242 4242 4242 4242');

    await page.getByRole('heading', { name: 'Payment Successful!' }).waitFor({ timeout: 20_000 });

    const orderId = new URL(page.url()).searchParams.get('orderId') ?? '';
    expect(new URL(page.url()).searchParams.get('payment_intent')).toMatch(/^pi_/);
    for (const fact of [orderId, 'Database Audit', '$2,999.00', 'ada@example.com', 'What Happens Next?']) {
      await expect.poll(() => page.locator('main').textContent(), { timeout: 10_000 }).toContain(fact);
    }
    const mails = await waitFor('both mails', async () => {
      const found = await mailsAbout(shop, orderId);
      return found.length >= 2 ? found : undefined;
    });
    expect(mails).toHaveLength(2);
    expectNone();
    await page.context().close();
  });

  test('a declined card shows the provider’s message, and the same order can be paid with another card', async () => {
    const { page } = await openPage(browser, desktop);
    await beginPayment(page);
    await payByCard(page, '4000 0000 0000 0002');
    await page.getByText('Payment Failed').first().waitFor();
    await page.getByText('Your card was declined.').first().waitFor();

    await payByCard(page, '4242 4242 4242 4242');

    await page.getByRole('heading', { name: 'Payment Successful!' }).waitFor({ timeout: 20_000 });
    const { rows } = await shop.db.raw<{ rows: { count: string }[] }>(
      `select count(*) from orders where id = ?`,
      [new URL(page.url()).searchParams.get('orderId')],
    );
    expect(rows[0]?.count).toBe('1');
    await page.context().close();
  });

  test('3-D Secure leads to the bank and back to the success page', async () => {
    const { page, expectNone } = await openPage(browser, desktop);
    await beginPayment(page);
    await payByCard(page, '4000 0025 0000 3155');
    await page.getByRole('button', { name: /complete/i }).click({ timeout: 20_000 });

    await page.getByRole('heading', { name: 'Payment Successful!' }).waitFor({ timeout: 20_000 });
    expect(page.url()).toContain('/success?orderId=');
    expectNone();
    await page.context().close();
  });

  test('the success page says that the payment is being confirmed, then updates live', async () => {
    shop.sandbox.faults.add({ target: 'webhooks', mode: 'error' });
    const { page } = await openPage(browser, phone);
    await page.route('**/api/confirm-payment', (route) => route.abort());
    await beginPayment(page);
    await payByCard(page, '4242 4242 4242 4242');
    await page
      .getByText(/confirming your payment/i)
      .first()
      .waitFor({ timeout: 20_000 });
    expect(await page.getByRole('heading', { name: 'Payment Successful!' }).count()).toBe(0);

    shop.sandbox.faults.clear();

    await page.getByRole('heading', { name: 'Payment Successful!' }).waitFor({ timeout: 30_000 });
    await page.context().close();
  });
});

async function beginPayment(page: Page): Promise<void> {
  await fillDetails(page, shop);
  await continueToPayment(page).click();
}

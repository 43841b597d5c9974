import type { Page } from 'playwright-core';

/** Opens the checkout of a shop and fills in who buys what. */
export async function fillDetails(
  page: Page,
  shop: { url: string },
  { name = 'Ada Lovelace', email = 'ada@example.com', service = 'audit' } = {},
): Promise<void> {
  await page.goto(`${shop.url}/pricing#payment`);
  await page.getByLabel('Full name').fill(name);
  await emailField(page).fill(email);
  await page.locator('#payment').getByRole('combobox').selectOption(service);
}

export function emailField(page: Page) {
  return page.locator('#payment').getByLabel('E-mail');
}

export function continueToPayment(page: Page) {
  return page.getByRole('button', { name: 'Continue to Payment' });
}

/** Chooses PayPal and stops before its button. */
export async function continueWithPaypal(page: Page, shop: { url: string }, email: string): Promise<void> {
  await fillDetails(page, shop, { email });
  await page.getByRole('tab', { name: 'PayPal' }).click();
  await continueToPayment(page).click();
}

/** Presses PayPal's button. Returns the window that it opens. */
export async function openPaypalWindow(page: Page): Promise<Page> {
  const button = page.getByRole('button', { name: 'Pay with PayPal' });
  const [popup] = await Promise.all([page.waitForEvent('popup'), button.click()]);
  await popup.waitForURL('**/checkoutnow?token=*');
  return popup;
}

/** The first field of the card form, once it is there. */
export function cardNumber(page: Page) {
  return page.frameLocator('iframe[title="Secure payment input frame"]').getByLabel('Card number');
}

import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { PayPalClient } from '../testing/paypal-client.ts';
import { withBrowser } from '../testing/with-browser.ts';

const running = withBrowser((url) => ({ page: shopPage(url), script: shopScript }));
let paypal: PayPalClient;
beforeAll(() => {
  paypal = new PayPalClient(running.sandbox);
});

test('reports an approval in the window to the page', { timeout: 30_000 }, async () => {
  const { orderId, popup } = await openWindow();
  await popup.getByText('USD 2999.00').waitFor();
  await popup.getByRole('button', { name: 'Pay now' }).click();
  await expectOutcome({ approved: { orderId, payerId: 'QWSANDBXBUYR2' } });
  expect((await paypal.call('GET', `/v2/checkout/orders/${orderId}`)).body.status).toBe('APPROVED');
  expect(running.complaints).toEqual([]);
});

test('reports a cancellation in the window', { timeout: 30_000 }, async () => {
  const { orderId, popup } = await openWindow();
  await popup.getByRole('button', { name: 'Cancel and return' }).click();
  await expectOutcome({ canceled: { orderId } });
});

test('treats a closed window as a cancellation, and can open another', { timeout: 30_000 }, async () => {
  const { orderId, popup } = await openWindow();
  await popup.close();
  await expectOutcome({ canceled: { orderId } });
  const again = running.page.waitForEvent('popup');
  await running.page.getByRole('button', { name: 'Pay with PayPal' }).click();
  await (await again).getByRole('button', { name: 'Pay now' }).click();
  await expectOutcome({ approved: { orderId } });
});

test('closes the window and reports an error if the client token has expired', {
  timeout: 30_000,
}, async () => {
  await openWindow('A21AAbrowser.1.expired');
  await expectOutcome({ error: 'The client token has expired.' });
});

test('closes the window and reports an error if the shop cannot create the order', {
  timeout: 30_000,
}, async () => {
  await openShop('none');
  const opened = running.page.waitForEvent('popup');
  await running.page.getByRole('button', { name: 'Pay with PayPal' }).click();
  const popup = await opened;
  await expectOutcome({ error: 'no order' });
  await expect.poll(() => popup.isClosed()).toBe(true);
});

async function openWindow(clientToken?: string): Promise<{ orderId: string; popup: Page }> {
  const { body } = await paypal.createOrder();
  await openShop(body.id, clientToken);
  const opened = running.page.waitForEvent('popup');
  await running.page.getByRole('button', { name: 'Pay with PayPal' }).click();
  const popup = await opened;
  if (!clientToken) await popup.waitForURL(/token=/);
  return { orderId: body.id, popup };
}

async function openShop(orderId: string, clientToken?: string): Promise<void> {
  const { access_token: fresh } = await paypal.token({ response_type: 'client_token' });
  await running.page.goto(`${running.shop.url}/#${orderId},${clientToken ?? fresh}`);
}

async function expectOutcome(outcome: object) {
  const shown = async () => JSON.parse((await running.page.locator('#outcome').textContent()) || '{}');
  await expect.poll(shown, { timeout: 5000 }).toMatchObject(outcome);
}

const shopPage = (sandboxUrl: string) =>
  `<paypal-button hidden></paypal-button><script src="${sandboxUrl}/paypal/web-sdk/v6/core"></script>`;

const shopScript = `
  const show = (outcome) => { document.querySelector('#outcome').textContent = JSON.stringify(outcome); };
  const button = document.querySelector('paypal-button');
  const [orderId, clientToken] = location.hash.slice(1).split(',');
  window.paypal.createInstance({ clientToken, components: ['paypal-payments'], pageType: 'checkout' }).then((sdk) => {
    const session = sdk.createPayPalOneTimePaymentSession({
      onApprove: async (data) => show({ approved: data }),
      onCancel: (data) => show({ canceled: data }),
      onError: (error) => show({ error: error.message }),
    });
    button.hidden = false;
    button.addEventListener('click', () => {
      show({});
      const order = orderId === 'none' ? Promise.reject(new Error('no order')) : Promise.resolve({ orderId });
      session.start({ presentationMode: 'auto' }, order).catch(() => {});
    });
  });`;

import { expect, test } from 'vitest';
import { desktop, openPage } from '../testing/browser.ts';
import { pay, placeOrder, untilStatus } from '../testing/buyer.ts';
import { signInAtDesk } from '../testing/desk-page.ts';
import { withSite } from '../testing/site.ts';
import { deliver, succeededEvent } from '../testing/stripe-events.ts';

const { shop, browser } = await withSite({ worker: true });
const narrow = { viewport: { width: 360, height: 800 } };
const recorded = 'Recorded. The results appear on the timeline.';

test.each(['Cancel the order', 'Refund Stripe’s payment'])(
  '%s is confirmed beside the actions after its form is gone, and the focus stays there',
  async (action) => {
    const order = await placeOrder(shop);
    if (action !== 'Cancel the order') {
      await pay(shop, order);
      await untilStatus(shop, order.orderId, 'paid');
    }
    const { page } = await openPage(browser, narrow);
    await signInAtDesk(shop, page, 'Olive Park', { path: `/desk/orders/${order.orderId}`, fresh: true });
    const form = page.locator('details', { hasText: action });
    await form.locator('summary').click();
    await form.getByLabel('Reason').fill('As agreed');
    await form.getByRole('button').press('Enter');
    await form.waitFor({ state: 'detached' });
    const actions = page.getByRole('region', { name: 'Actions' });
    await actions.getByRole('status').getByText(recorded).waitFor();
    await expect.poll(() => actions.evaluate((section) => section === document.activeElement)).toBe(true);
    await page.context().close();
  },
);

test('a form that stays open confirms its action once', async () => {
  const order = await placeOrder(shop);
  const { page } = await openPage(browser, narrow);
  await signInAtDesk(shop, page, 'Olive Park', { path: `/desk/orders/${order.orderId}` });
  await page.getByText('Write a note').click();
  await page.getByLabel('Note').fill('Called back');
  await page.getByRole('button', { name: 'Save note' }).click();
  await page.getByText(recorded).waitFor();
  await page
    .getByText(/Called back/)
    .first()
    .waitFor();
  expect(await page.getByText(recorded).count()).toBe(1);
  await page.context().close();
});

test('the dates of the filter are readable on a phone', async () => {
  const { page } = await openPage(browser, narrow);
  await signInAtDesk(shop, page, 'Olive Park', { path: '/desk/orders' });
  const date = page.getByLabel('From (UTC)');
  await date.fill('2026-01-31');
  expect(await date.evaluate((field) => field.scrollWidth - field.clientWidth)).toBe(0);
  expect((await date.boundingBox())?.width).toBeGreaterThan(300);
  await page.context().close();
});

test('the search and its filters are labeled in full on a phone, and aligned', async () => {
  const { page } = await openPage(browser, narrow);
  await signInAtDesk(shop, page, 'Olive Park', { path: '/desk/orders' });
  const search = page.getByLabel('Search by e-mail, name, order, payment or amount', { exact: true });
  expect(await search.getAttribute('placeholder')).toBeNull();
  const clear = page.getByRole('button', { name: 'Clear' });
  const textLeft = await clear.evaluate((button) => {
    const range = document.createRange();
    range.selectNodeContents(button);
    return range.getBoundingClientRect().left;
  });
  expect(Math.abs(textLeft - ((await search.boundingBox())?.x ?? 0))).toBeLessThan(2);
  await page.context().close();
});

test('ids are not broken on a phone', async () => {
  const order = await placeOrder(shop);
  await pay(shop, order);
  await untilStatus(shop, order.orderId, 'paid');
  const widest = { ...succeededEvent(order), id: `evt_${'W'.repeat(23)}1` };
  expect((await deliver(shop, widest)).status).toBe(200);
  const { page } = await openPage(browser, narrow);
  await signInAtDesk(shop, page, 'Vera Holm', { path: `/desk/orders/${order.orderId}` });
  await page.getByText(widest.id).waitFor();
  const lines = await page.getByRole('main').evaluate(linesOfIds);
  expect(lines.map(({ id }) => id)).toEqual(
    expect.arrayContaining([order.orderId, order.paymentIntentId, widest.id]),
  );
  expect(lines.filter(({ count }) => count > 1)).toEqual([]);
  await page.context().close();
});

test('a neutral status has a visible pill in the dark', async () => {
  const order = await placeOrder(shop);
  const { page } = await openPage(browser, { ...narrow, colorScheme: 'dark' });
  await signInAtDesk(shop, page, 'Olive Park', { path: `/desk/orders/${order.orderId}` });
  const badge = page.getByRole('main').getByText('Pending', { exact: true });
  await badge.waitFor();
  expect(await badge.evaluate((pill) => getComputedStyle(pill).boxShadow)).toMatch(/inset/);
  await page.context().close();
});

test('a viewer, who has no actions, sees the timeline below the facts at full width', async () => {
  const order = await placeOrder(shop);
  const { page } = await openPage(browser, desktop);
  await signInAtDesk(shop, page, 'Vera Holm', { path: `/desk/orders/${order.orderId}` });
  const box = async (name: string) => {
    const { x = 0, width = 0 } = (await page.getByRole('region', { name }).boundingBox()) ?? {};
    return { x, width };
  };
  await page.getByText('pending (order created)').waitFor();
  expect(await box('Timeline')).toEqual(await box('Facts'));
  await page.context().close();
});

test('an e-mail that is no longer relevant cannot be sent again', async () => {
  const order = await placeOrder(shop);
  await pay(shop, order, 'pm_card_chargeDeclined');
  await untilStatus(shop, order.orderId, 'failed');
  await pay(shop, order);
  await untilStatus(shop, order.orderId, 'paid');
  const { page } = await openPage(browser, narrow);
  await signInAtDesk(shop, page, 'Olive Park', { path: `/desk/orders/${order.orderId}` });
  const entry = (kind: string) => page.getByRole('listitem').filter({ hasText: kind });
  await entry('Payment failed #').getByText('Read or send again').click();
  await entry('Payment failed #').getByText('no longer relevant').waitFor();
  await entry('Order confirmation #').getByText('Read or send again').click();
  await entry('Order confirmation #').getByRole('button', { name: 'Send again' }).waitFor();
  expect(await page.getByRole('button', { name: 'Send again' }).count()).toBe(1);
  await page.context().close();
});

/** Runs in the page: on how many lines each id is. */
function linesOfIds(main: Element): { id: string; count: number }[] {
  const found: { id: string; count: number }[] = [];
  const texts = document.createTreeWalker(main, NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    for (const { 0: id, index } of (text.textContent ?? '').matchAll(
      /(evt|pi)_\w+|[0-9a-f]{8}(-[0-9a-f]+){4}/g,
    )) {
      const range = document.createRange();
      range.setStart(text, index);
      range.setEnd(text, index + id.length);
      found.push({ id, count: new Set([...range.getClientRects()].map(({ top }) => top)).size });
    }
  }
  return found;
}

import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import {
  axeViolationsInBothLooks,
  desktop,
  holdRequests,
  openHydrated,
  openPage,
  overflow,
} from '../testing/browser.ts';
import { placeOrder, post } from '../testing/buyer.ts';
import { signInAtDesk } from '../testing/desk-page.ts';
import { withSite } from '../testing/site.ts';
import { deliver, succeededEvent } from '../testing/stripe-events.ts';
import { waitFor } from '../testing/wait-for.ts';

const { shop, browser } = await withSite({ worker: true });

test('an empty Today page says so; what needs a person is listed live and resolved', {
  tags: ['core'],
}, async () => {
  const { page, expectNone } = await openPage(browser, { viewport: { width: 360, height: 800 } });
  await signInAtDesk(shop, page, 'Olive Park', { fresh: true });
  await page.getByText('A good day: nothing needs attention.').waitFor();
  expect(await axeViolationsInBothLooks(page)).toEqual([]);

  const odd = await placeOrder(shop, { customerName: 'Ada Lovelace' });
  await shop.db('outbox').insert({
    ...{ job: 'refund-duplicate', queue: 'payments', status: 'dead', due_at: new Date() },
    payload: { orderId: odd.orderId, paymentId: 'pi_2' },
    last_error: 'PermanentFailure: the charge is disputed',
  });
  await deliver(shop, succeededEvent(odd, { amount_received: 100 }));
  await page.getByRole('heading', { name: '1 payment to review' }).waitFor();
  await page.getByText('Ada Lovelace: Database Audit, $2,999.00').waitFor();

  await page.getByRole('link', { name: /the charge is disputed/ }).click();
  await page.getByRole('heading', { name: 'Failed permanently' }).waitFor();
  await page.goBack();
  await page.getByText('Run again or discard').click();
  await page.getByLabel('What to do').selectOption('discard');
  expect(await axeViolationsInBothLooks(page)).toEqual([]);
  expect(await overflow(page)).toBe(0);
  await page.getByLabel('Reason').fill('Returned by the bank');
  await page.getByRole('button', { name: 'Confirm' }).click();
  await page.getByRole('heading', { name: '1 refund failed permanently' }).waitFor({ state: 'detached' });
  expect(await shop.db('desk_actions').select('action', 'reason')).toEqual([
    { action: 'discard job', reason: 'Returned by the bank' },
  ]);
  expectNone();
  await page.context().close();
});

test('what has no order is dismissed with a reason, by keyboard alone', async () => {
  const money = { amount: 100_000, currency: 'USD' };
  await shop
    .db('failed_transfers')
    .insert({ kind: 'payout', provider: 'stripe', transfer_id: 'po_1', ...money });
  await shop.db('emails').insert({
    ...{ kind: 'newsletter_welcome', dedupe_key: 'refused', status: 'refused' },
    ...{ last_error: '550 5.1.1 mailbox unavailable', claimed_at: new Date() },
  });
  const { page, expectNone } = await openPage(browser, { viewport: { width: 360, height: 800 } });
  await signInAtDesk(shop, page, 'Olive Park');
  const payout = page.getByRole('heading', { name: '1 payout failed' });
  const mail = page.getByRole('heading', { name: '1 e-mail refused by the mail server' });
  await payout.waitFor();
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  const dismissFocused = async () => {
    await press('Enter', 'Tab');
    expect(await axeViolationsInBothLooks(page)).toEqual([]);
    expect(await overflow(page)).toBe(0);
    await page.keyboard.type('Called them');
    await press('Tab', 'Enter');
  };

  await press('j', 'j', 'j', 'k');
  await dismissFocused();
  await payout.waitFor({ state: 'detached' });
  expect(await mail.count()).toBe(1);
  await page.getByRole('status').getByText('Recorded: Payout po_1').waitFor();
  await page.getByRole('list', { name: 'What needs attention' }).and(page.locator(':focus')).waitFor();

  await press('j', 'j', 'Tab');
  await dismissFocused();
  await mail.waitFor({ state: 'detached' });
  // The list, if the tests before have left a row, otherwise the page.
  await page.locator('main:focus, main > ol:focus').waitFor();
  expectNone();
  await page.context().close();
});

test('a refused e-mail without an order is sent again', async () => {
  const email = 'refused@example.com';
  shop.sandbox.faults.add({ target: 'smtp', mode: 'error', code: 550, match: email });
  await post(shop, '/api/newsletter/subscribe', { email });
  await waitFor('it is refused', () => shop.db('emails').where({ status: 'refused' }).first());
  shop.sandbox.faults.clear();
  const { page, expectNone } = await openPage(browser, desktop);
  await signInAtDesk(shop, page, 'Olive Park');

  await page.getByText(/^Newsletter confirmation #\d+: .*550/).waitFor();
  await page.getByText('Send again with a reason').click();
  const form = page.locator('details[open]');
  await form.getByLabel('Reason').fill('The mailbox works again');
  await form.getByRole('button', { name: 'Send again' }).click();
  await page.getByRole('heading', { name: 'refused by the mail server' }).waitFor({ state: 'detached' });
  await waitFor('it is sent', async () => (await shop.sandbox.inbox.list(email)).length === 1);
  expectNone();
  await page.context().close();
});

test('a reason that is being written stays while more is listed', async () => {
  const failed = { kind: 'payout', provider: 'stripe', amount: 100_000, currency: 'USD' };
  await shop.db('failed_transfers').insert({ ...failed, transfer_id: 'po_2' });
  const { page, expectNone } = await openPage(browser, desktop);
  await signInAtDesk(shop, page, 'Olive Park');
  await page.getByText('Dismiss with a reason').click();
  await page.getByLabel('Reason').fill('New bank details');
  await shop.db('failed_transfers').insert({ ...failed, transfer_id: 'po_3' });
  await placeOrder(shop);
  await page.getByRole('heading', { name: '2 payouts failed' }).waitFor();
  const written = page
    .getByRole('listitem')
    .filter({ hasText: /^Payout po_2/ })
    .getByLabel('Reason');
  expect(await written.inputValue()).toBe('New bank details');
  await shop.db('failed_transfers').update({ dismissed_at: new Date() });
  expectNone();
  await page.context().close();
});

const ended = {
  status: 401,
  json: { message: 'Your session at the desk has ended.', code: 'not_signed_in' },
};

test.each([
  ['/desk', 'today'],
  ['/desk/orders', 'orders/list'],
])(
  '%s fills gaps without keeping the session alive, and says when it has ended',
  { tags: ['core'] },
  async (path, list) => {
    const { page } = await openPage(browser, desktop);
    let isOver = false;
    await page.route('**/api/desk/orders/events', (route) =>
      route.fulfill(
        isOver
          ? ended
          : { contentType: 'text/event-stream', body: 'retry: 100\nevent: order\ndata: null\n\n' },
      ),
    );
    const reads: (string | undefined)[] = [];
    await page.route(`**/api/desk/${list}`, (route) => {
      reads.push(route.request().headers()['x-background']);
      return isOver ? route.fulfill(ended) : route.continue();
    });
    await signInAtDesk(shop, page, 'Vera Holm', { path });
    await expect.poll(() => reads.length, { timeout: 10_000 }).toBeGreaterThan(1);
    expect(reads.slice(0, 2)).toEqual([undefined, '1']);
    isOver = true;
    await page.getByRole('alert').getByText('Your session at the desk has ended.').waitFor();
    await page.getByRole('link', { name: 'Sign in again' }).waitFor();
    await page.context().close();
  },
);

test('a session that has ended leads to the sign-in and back', async () => {
  const { page } = await openPage(browser, desktop);
  await signInAtDesk(shop, page, 'Olive Park');
  await page.route('**/api/desk/me', (route) => route.fulfill(ended));
  await page.reload();
  await page.getByText('Your session at the desk has ended.').waitFor();
  await page.unroute('**/api/desk/me');
  await page.getByRole('link', { name: 'Sign in again' }).click();
  await page.getByRole('heading', { name: 'Today' }).waitFor();
  expect(new URL(page.url()).pathname).toBe('/desk');
  await page.context().close();
});

test.each([
  ['sending a note', '/desk/orders/:id', 'Olive Park'],
  ['opening another page', '/desk/orders', 'Vera Holm'],
] as const)(
  'a session ended elsewhere hides the pages on %s, and the sign-in leads back',
  async (what, path, name) => {
    const { orderId } = await placeOrder(shop, { customerName: 'Grace Hopper' });
    const { page } = await openPage(browser, desktop);
    const address = path.replace(':id', orderId);
    // Its first event makes the page read again, and learn of the end by itself.
    await holdRequests(page, '**/api/desk/orders/events');
    await signInAtDesk(shop, page, name, { path: address });
    const buyer = page.getByText('Grace Hopper').first();
    await buyer.waitFor();
    const otherTab = await page.context().newPage();
    await otherTab.goto(`${shop.url}/api/logout`);
    if (what === 'sending a note') {
      await page.getByText('Write a note').click();
      await page.getByLabel('Note').fill('Called her');
      await page.getByRole('button', { name: 'Save note' }).click();
    } else {
      await page.getByRole('navigation', { name: 'Desk' }).getByRole('link', { name: 'People' }).click();
    }
    await expect
      .poll(() => page.getByRole('main').innerText())
      .toMatch(/^Your session .* has ended\.\s+Sign in again$/);
    expect(await page.getByText('Grace Hopper').count()).toBe(0);
    const back = new URL(page.url()).pathname;
    await page.getByRole('link', { name: 'Sign in again' }).click();
    await page.getByRole('button', { name: `Continue as ${name}` }).click();
    await page.waitForURL(shop.url + back);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.context().close();
  },
);

test('an order stays on its page while the desk cannot be reached', async () => {
  const { orderId } = await placeOrder(shop, { customerName: 'Grace Hopper' });
  const { page } = await openPage(browser, desktop);
  await signInAtDesk(shop, page, 'Olive Park', { path: `/desk/orders/${orderId}` });
  await page.getByRole('heading', { level: 1, name: 'Grace Hopper' }).waitFor();
  await page.route('**/api/desk/**', (route) => route.fulfill({ status: 503 }));
  await page.getByText('Write a note').click();
  await page.getByLabel('Note').fill('Called her');
  await page.getByRole('button', { name: 'Save note' }).click();
  await page.getByText('The desk could not be reached.').waitFor();
  expect(await page.getByRole('heading', { level: 1 }).allInnerTexts()).toEqual(['Grace Hopper']);
  expect(await page.getByLabel('Note').inputValue()).toBe('Called her');
  await page.unroute('**/api/desk/**');
  await page.getByRole('button', { name: 'Save note' }).click();
  await page.getByText('Recorded. The results appear on the timeline.').waitFor();
  await page.context().close();
});

test.each([
  ['/desk', 'Today'],
  ['/desk/people/', 'People'],
  ['/desk/nowhere', 'No such page'],
])('%s has the title and heading %s', async (path, name) => {
  const { page } = await openPage(browser, desktop);
  await signInAtDesk(shop, page, 'Vera Holm', { path });
  await page.getByRole('heading', { level: 1, name }).waitFor();
  expect(await page.title()).toBe(`${name} - Desk - Querywright`);
  await page.context().close();
});

test('the signed-in person’s address is shown in full, however long', async () => {
  const { page } = await openPage(browser, { viewport: { width: 700, height: 800 } });
  const name = `${'olive.'.repeat(10)}park@${'subdomain-of-a-company.'.repeat(3)}example`;
  await page.route('**/api/desk/me', async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, json: { ...(await answer.json()), name } });
  });
  await signInAtDesk(shop, page, 'Vera Holm');
  const label = page.getByRole('banner').getByText(`${name}, viewer`);
  await label.waitFor();
  expect(await label.evaluate((text) => text.scrollWidth - text.clientWidth)).toBe(0);
  expect(await overflow(page)).toBe(0);
  await page.context().close();
});

test('a page says that it loads, and when to try again', async () => {
  const { page } = await openPage(browser, desktop);
  const message = 'Too many requests. Please try again in 42 seconds.';
  let answer = () => {};
  const isSeen = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route('**/api/desk/today', async (route) => {
    await isSeen;
    if (await page.evaluate(() => document.body.dataset.clicked)) return route.continue();
    await route.fulfill({
      status: 429,
      headers: { 'retry-after': '42' },
      json: { message, code: 'rate_limited' },
    });
  });
  await signInAtDesk(shop, page, 'Vera Holm');
  await page.getByRole('status').getByText('Loading...').waitFor();
  answer();
  await page.getByRole('alert').getByText(message).waitFor();
  // The page also asks again by itself, when an order changes.
  await page.evaluate(() => {
    document.addEventListener('click', () => document.body.setAttribute('data-clicked', 'yes'), true);
  });
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('heading', { level: 1, name: 'Today' }).waitFor();
  await page.getByRole('alert').waitFor({ state: 'detached' });
  await page.context().close();
});

test('the keyboard shortcuts are not offered on a touch screen', async () => {
  const touch = { viewport: { width: 360, height: 800 }, hasTouch: true, isMobile: true };
  const { page, expectNone } = await openPage(browser, touch);
  await signInAtDesk(shop, page, 'Vera Holm');
  const shortcuts = page.getByRole('banner').locator('summary', { hasText: 'Shortcuts' });
  await shortcuts.waitFor({ state: 'attached' });
  expect(await shortcuts.isVisible()).toBe(false);
  expectNone();
  await page.context().close();
});

test('the keyboard shortcuts are listed in the header and can be turned off for good', async () => {
  await placeOrder(shop, { customerName: 'Ada Lovelace' });
  const { page, expectNone } = await openPage(browser, { viewport: { width: 320, height: 800 } });
  await signInAtDesk(shop, page, 'Vera Holm', { path: '/desk/orders' });
  const row = page.getByRole('main').getByRole('link', { name: 'Ada Lovelace' }).first();
  await row.waitFor();
  const shortcuts = page.getByRole('banner').locator('summary', { hasText: 'Shortcuts' });
  await shortcuts.click();
  await page.getByText('Search the orders').waitFor();
  expect(await overflow(page)).toBe(0);
  expect(await axeViolationsInBothLooks(page)).toEqual([]);
  await page.getByLabel('Use these shortcuts').uncheck();
  await page.keyboard.press('Escape');
  await page.getByText('Search the orders').waitFor({ state: 'hidden' });
  await page.reload();
  await row.waitFor();
  await page.getByRole('heading', { level: 1 }).focus();
  for (const key of ['j', '/']) await page.keyboard.press(key);
  expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('H1');

  await shortcuts.click();
  await page.getByLabel('Use these shortcuts').check();
  await page.keyboard.press('Escape');
  await page.keyboard.press('/');
  await page.locator('input[type=search]:focus').waitFor();
  expectNone();
  await page.context().close();
});

test('visitors and clients load nothing of the desk', async () => {
  const own = readdirSync('dist/web/desk/assets');
  const site = readdirSync('dist/web/static/assets');
  expect(own.filter((file) => file.endsWith('.js')).length).toBeGreaterThan(0);
  const files = own.filter((file) => /\.(js|css)$/.test(file));
  expect(files.filter((file) => site.includes(file))).toEqual([]);
  const marks = ['/api/desk', ...files];
  const bundle = files.map((file) => readFileSync(`dist/web/desk/assets/${file}`, 'utf8')).join('\n');
  expect(
    marks.filter((mark) => bundle.includes(mark)).length,
    'marks in the desk’s own bundle',
  ).toBeGreaterThan(1);
  const { page } = await openPage(browser, desktop);
  const loaded: string[] = [];
  page.on('response', async (response) =>
    loaded.push(`${response.url()} ${await response.text().catch(() => '')}`),
  );
  for (const address of ['/', '/account', '/pricing']) {
    await openHydrated(page, shop.url + address);
  }
  expect(loaded.length).toBeGreaterThan(10);
  expect(loaded.filter((answer) => marks.some((mark) => answer.includes(mark)))).toEqual([]);
  expect(loaded.filter((answer) => /\/desk\b/.test(answer))).toEqual([]);
  await page.context().close();
});

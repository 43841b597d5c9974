import type { Locator, Page } from 'playwright-core';
import { afterEach, expect, test } from 'vitest';
import { axeViolationsInBothLooks, openPage, overflow } from '../testing/browser.ts';
import { post } from '../testing/buyer.ts';
import { signInAtDesk } from '../testing/desk-page.ts';
import { withSite } from '../testing/site.ts';
import { Visitor } from '../testing/visitor.ts';

const { shop, browser } = await withSite();
const phone = { viewport: { width: 360, height: 800 } };
afterEach(() => shop.db('contact_messages').delete());

test('messages are answered and enrollments read, on a phone too', async () => {
  const long = `${'Zoë'.repeat(40)} asks`;
  await post(shop, '/api/contact', {
    name: long,
    email: 'zoe@example.com',
    message: `How ${'long'.repeat(60)}?`,
  });
  const client = new Visitor(shop);
  await client.signIn('person-pending');
  await client.post('/api/enrollment', {
    ...{ companyName: 'Byron & Daughter', role: 'Head of Engineering', phone: '+1 415 555 0142' },
    ...{ primaryUseCase: 'Tables of great length', teamSize: '11-50', complianceNeeds: '' },
  });
  const { page, expectNone } = await openPage(browser, phone);
  await signInAtDesk(shop, page, 'Olive Park', { fresh: true });
  await page.getByRole('heading', { name: '1 message to answer' }).waitFor();
  await page.getByRole('link', { name: 'Read them' }).click();
  await page.getByText('Byron & Daughter').click();
  await page.getByText('Tables of great length').waitFor();
  expect(await overflow(page)).toBe(0);
  expect(await axeViolationsInBothLooks(page)).toEqual([]);

  const answer = page.getByRole('link', { name: 'Answer zoe@example.com' });
  expect(await answer.getAttribute('href')).toBe(
    'mailto:zoe@example.com?subject=Your%20message%20to%20Querywright',
  );
  await page.getByRole('heading', { name: 'People' }).focus();
  await page.keyboard.press('j');
  expect(await answer.evaluate((link) => link === document.activeElement)).toBe(true);
  await page.keyboard.press('j');
  await page.locator('summary:focus', { hasText: 'Byron & Daughter' }).waitFor();
  const messages = page.getByRole('region', { name: 'Messages' });
  await messages.locator('summary').click();
  await page.getByRole('button', { name: 'Mark as answered' }).click();
  await page.getByText('A reason is required').waitFor();
  expect(await overflow(page)).toBe(0);
  expect(await axeViolationsInBothLooks(page)).toEqual([]);
  await messages.getByLabel('Reason').fill('Answered by mail');
  await page.getByRole('button', { name: 'Mark as answered' }).click();
  await page.getByText('Every message is answered.').waitFor();
  await page.getByRole('status').getByText(`Marked as answered: ${long}.`).waitFor();
  await page.locator('ul:focus').waitFor({ state: 'attached' });
  await page.getByLabel('Show answered messages too').check();
  await page.getByText(/^Answered /).waitFor();

  const reason = 'Answered by mail';
  expect(await actionsTaken(reason)).toEqual([{ action: 'answer message', reason }]);
  expect(await recordOf(page, reason)).toEqual([
    [expect.stringMatching(/^olive.park@querywright.example: answer message #/), reason],
  ]);
  expectNone();
  await page.context().close();
});

test('the newsletter’s addresses are exported, on a phone too', async () => {
  const { page, expectNone } = await openPage(browser, phone);
  await signInAtDesk(shop, page, 'Olive Park', { path: '/desk/people', fresh: true });
  expect(await download(page, await openForm(page, 'Newsletter', 'Export as CSV', 'The autumn issue'))).toBe(
    'newsletter.csv',
  );
  await page.getByText('0 subscribers, 0 unconfirmed, 0 unsubscribed.').waitFor();
  expect(await overflow(page)).toBe(0);

  const reason = 'The autumn issue';
  expect(await actionsTaken(reason)).toEqual([{ action: 'export newsletter', reason }]);
  expect(await recordOf(page, reason)).toEqual([
    ['olive.park@querywright.example: export newsletter', reason],
  ]);
  expectNone();
  await page.context().close();
});

test('a person’s data is exported and erased on request, on a phone too', async () => {
  await post(shop, '/api/contact', {
    name: 'Zoë',
    email: 'zoe@example.com',
    message: 'How long?',
  });
  const { page, expectNone } = await openPage(browser, phone);
  await signInAtDesk(shop, page, 'Olive Park', { path: '/desk/people', fresh: true });
  const exporting = await openForm(page, 'A person’s data', 'Export it', 'Her letter of today');
  await exporting.getByLabel('E-mail').fill('zoey@example.com');
  await exporting.getByRole('button', { name: 'Export' }).click();
  await exporting.getByText('Nothing is stored under zoey@example.com. Check the spelling.').waitFor();
  await exporting.getByLabel('E-mail').fill('zoe@example.com');
  expect(await download(page, exporting)).toBe('person.json');
  const erasing = await openForm(page, 'A person’s data', 'Erase it', 'Her letter of today');
  const erase = async (address: string) => {
    await erasing.getByLabel('E-mail').fill(address);
    await erasing.getByRole('button', { name: 'Erase permanently' }).click();
  };
  await erase('zoe@@example.com');
  await erasing.getByText('Please enter a valid e-mail address').waitFor();
  expect(await erasing.locator('[aria-invalid]:focus').getAttribute('name')).toBe('email');
  await erase('zoey@example.com');
  const nothing = erasing.getByText('Nothing is stored under zoey@example.com. Check the spelling.');
  await nothing.waitFor();
  expect(await nothing.getAttribute('class')).not.toContain('text-after');
  expect(await erasing.getByLabel('E-mail').inputValue()).toBe('zoey@example.com');
  await erase('zoe@example.com');
  await page.getByText('Erased zoe@example.com in 1 place.').waitFor();
  expect(await shop.db('contact_messages').where({ email: 'zoe@example.com' })).toEqual([]);
  expect(await shop.db('contact_messages').where({ email: 'zoe@example.com' })).toEqual([]);

  const reason = 'Her letter of today';
  expect(await actionsTaken(reason)).toEqual([
    { action: 'export person', reason },
    { action: 'export person', reason },
    { action: 'erase person', reason },
    { action: 'erase person', reason },
  ]);
  expect(await recordOf(page, reason)).toEqual([
    ['olive.park@querywright.example: erase person', reason],
    ['olive.park@querywright.example: erase person', reason],
    ['olive.park@querywright.example: export person', reason],
    ['olive.park@querywright.example: export person', reason],
  ]);
  expect(await overflow(page)).toBe(0);
  expect(await axeViolationsInBothLooks(page)).toEqual([]);
  expectNone();
  await page.context().close();
});

async function openForm(page: Page, part: string, title: string, reason: string): Promise<Locator> {
  const form = page.getByRole('region', { name: part }).locator('details', { hasText: title });
  await form.locator('summary').click();
  await form.getByLabel('Reason').fill(reason);
  return form;
}

/** Exports and returns the name of the file. */
async function download(page: Page, form: Locator): Promise<string> {
  const press = form.getByRole('button', { name: 'Export' }).click();
  const [file] = await Promise.all([page.waitForEvent('download'), press]);
  await form.getByText('The file is saved.').waitFor();
  return file.suggestedFilename();
}

function actionsTaken(reason: string) {
  return shop.db('desk_actions').where({ reason }).orderBy('id').select('action', 'reason');
}

/** Opens the record: what its rows with this reason say, newest first, without their times. */
async function recordOf(page: Page, reason: string): Promise<string[][]> {
  await page.getByRole('navigation', { name: 'Desk' }).getByRole('link', { name: 'Record' }).click();
  await page.getByRole('heading', { level: 1, name: 'Record' }).waitFor();
  const actions = page.locator('main li');
  await actions.first().waitFor();
  const rows = (await actions.allInnerTexts()).map((text) => text.split(/\n+/).slice(1));
  return rows.filter((row) => row.includes(reason));
}

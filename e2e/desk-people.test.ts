import type { Locator } from 'playwright-core';
import { expect, test } from 'vitest';
import { axeViolationsInBothLooks, openPage, overflow } from '../testing/browser.ts';
import { post } from '../testing/buyer.ts';
import { signInAtDesk } from '../testing/desk-page.ts';
import { withSite } from '../testing/site.ts';
import { Visitor } from '../testing/visitor.ts';

const { shop, browser } = await withSite();

test('messages are answered, enrollments read and a data request fulfilled, on a phone too', async () => {
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
  const { page, expectNone } = await openPage(browser, { viewport: { width: 360, height: 800 } });
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

  const open = async (part: string, title: string, reason: string) => {
    const form = page.getByRole('region', { name: part }).locator('details', { hasText: title });
    await form.locator('summary').click();
    await form.getByLabel('Reason').fill(reason);
    return form;
  };
  const download = async (form: Locator) => {
    const press = form.getByRole('button', { name: 'Export' }).click();
    const [file] = await Promise.all([page.waitForEvent('download'), press]);
    await form.getByText('The file is saved.').waitFor();
    return file.suggestedFilename();
  };
  expect(await download(await open('Newsletter', 'Export as CSV', 'The autumn issue'))).toBe(
    'newsletter.csv',
  );
  await page.getByText('0 subscribers, 0 unconfirmed, 0 unsubscribed.').waitFor();
  const exporting = await open('A person’s data', 'Export it', 'Her letter of today');
  await exporting.getByLabel('E-mail').fill('zoey@example.com');
  await exporting.getByRole('button', { name: 'Export' }).click();
  await exporting.getByText('Nothing is stored under zoey@example.com. Check the spelling.').waitFor();
  await exporting.getByLabel('E-mail').fill('zoe@example.com');
  expect(await download(exporting)).toBe('person.json');
  const erasing = await open('A person’s data', 'Erase it', 'Her letter of today');
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
  expect(await shop.db('desk_actions').orderBy('id').select('action', 'reason')).toEqual([
    { action: 'answer message', reason: 'Answered by mail' },
    { action: 'export newsletter', reason: 'The autumn issue' },
    { action: 'export person', reason: 'Her letter of today' },
    { action: 'export person', reason: 'Her letter of today' },
    { action: 'erase person', reason: 'Her letter of today' },
    { action: 'erase person', reason: 'Her letter of today' },
  ]);
  await page.getByRole('navigation', { name: 'Desk' }).getByRole('link', { name: 'Record' }).click();
  await page.getByRole('heading', { level: 1, name: 'Record' }).waitFor();
  const actions = page.locator('main li');
  await actions.first().waitFor();
  expect((await actions.allInnerTexts()).map((text) => text.split(/\n+/).slice(1))).toEqual([
    ['olive.park@querywright.example: erase person', 'Her letter of today'],
    ['olive.park@querywright.example: erase person', 'Her letter of today'],
    ['olive.park@querywright.example: export person', 'Her letter of today'],
    ['olive.park@querywright.example: export person', 'Her letter of today'],
    ['olive.park@querywright.example: export newsletter', 'The autumn issue'],
    [expect.stringMatching(/^olive.park@querywright.example: answer message #/), 'Answered by mail'],
  ]);
  expect(await overflow(page)).toBe(0);
  expect(await axeViolationsInBothLooks(page)).toEqual([]);
  expectNone();
  await page.context().close();
});

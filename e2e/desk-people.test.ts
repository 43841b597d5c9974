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

  await page.getByRole('button', { name: /^Mark .* as answered$/ }).click();
  await page.getByText('Every message is answered.').waitFor();
  await page.getByLabel('Show answered messages too').check();
  await page.getByText(/^Answered /).waitFor();

  await page.getByRole('textbox', { name: 'E-mail' }).fill('zoe@example.com');
  await page.getByLabel('Reason').fill('Her letter of today');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export', exact: true }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('person.json');
  await page.getByLabel('Erase for ever').check();
  await page.getByRole('button', { name: 'Erase', exact: true }).click();
  await page.getByText('Erased in 1 place.').waitFor();
  expect(await shop.db('contact_messages').where({ email: 'zoe@example.com' })).toEqual([]);
  expectNone();
  await page.context().close();
});

import { expect, test } from 'vitest';
import { runOps } from '../testing/operator.ts';
import { withShop } from '../testing/shop.ts';

const shop = await withShop();

test('marks older messages as answered, and leaves newer ones', async () => {
  const message = { email: 'ada@example.com', message: 'Hello' };
  await shop.db('contact_messages').insert([
    { ...message, name: 'Old', created_at: new Date(Date.now() - 8 * 86_400_000) },
    { ...message, name: 'New', created_at: new Date(Date.now() - 6 * 86_400_000) },
  ]);
  const command = ['messages', 'answered', '--before', '7d'];
  expect(await runOps(shop, command)).toMatchObject({ code: 1 });
  expect(await runOps(shop, [...command, '--yes'])).toMatchObject({
    code: 0,
    out: '1 message marked as answered',
  });
  expect(await shop.db('contact_messages').whereNull('answered_at').pluck('name')).toEqual(['New']);
});

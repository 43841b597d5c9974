import { expect, test } from 'vitest';
import { runOps } from '../testing/operator.ts';
import { withShop } from '../testing/shop.ts';
import { Visitor } from '../testing/visitor.ts';

const shop = await withShop();

test('sessions revoke ends every session of one user, and nobody else’s', async () => {
  const [laptop, phone, other] = [new Visitor(shop), new Visitor(shop), new Visitor(shop)];
  for (const visitor of [laptop, phone]) await visitor.signIn('person-pending');
  await other.signIn('person-completed');
  const { email } = (await laptop.whoAmI()).user;

  expect(await runOps(shop, ['sessions', 'revoke', '--user', String(email)])).toMatchObject({ code: 1 });
  expect((await laptop.whoAmI()).status).toBe(200);

  const revoked = await runOps(shop, ['sessions', 'revoke', '--user', String(email), '--yes']);
  expect(revoked).toMatchObject({ code: 0, out: '2 sessions ended' });
  expect((await laptop.whoAmI()).status).toBe(401);
  expect((await phone.whoAmI()).status).toBe(401);
  expect((await other.whoAmI()).status).toBe(200);
});

test('a user that does not exist is refused', async () => {
  for (const name of [crypto.randomUUID(), 'unknown@example.com', 'x']) {
    expect(await runOps(shop, ['sessions', 'revoke', '--user', name, '--yes'])).toMatchObject({
      code: 1,
      err: `User ${name} not found`,
    });
  }
});

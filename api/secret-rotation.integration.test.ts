import { afterAll, expect, inject, test } from 'vitest';
import { placeOrder } from '../testing/buyer.ts';
import { createTestDatabase } from '../testing/databases.ts';
import { type Shop, startShop } from '../testing/shop.ts';
import { deliver, succeededEvent } from '../testing/stripe-events.ts';
import { Visitor } from '../testing/visitor.ts';

const shops: Shop[] = [];
afterAll(() => Promise.all(shops.map((shop) => shop.close())));

test('while secrets are rotated no one is signed out and no webhook refused; a leaked one is dropped at once', async () => {
  const DATABASE_URL = await createTestDatabase(inject('postgresUrl'));
  const deploy = async (generations: string[]) => {
    const SESSION_SECRET = generations.map((name) => `${name}: a secret of 32 characters or more`).join();
    const STRIPE_WEBHOOK_SECRET = generations.map((name) => `whsec_${name}`).join();
    const shop = await startShop({ env: { DATABASE_URL, SESSION_SECRET, STRIPE_WEBHOOK_SECRET } });
    shops.push(shop);
    return shop;
  };
  const [before, during, after] = [
    await deploy(['old']),
    await deploy(['new', 'old']),
    await deploy(['new']),
  ];
  const early = new Visitor(before);
  await early.signIn();
  const late = new Visitor(during);
  await late.signIn();

  expect(await seenBy([before, during, after], early)).toEqual([200, 200, 401]);
  expect(await seenBy([during, after], late)).toEqual([200, 200]);
  expect(await answersOf([before, during, after], 'whsec_old')).toEqual([200, 200, 400]);
  expect(await answersOf([before, during, after], 'whsec_new')).toEqual([400, 200, 200]);
});

function seenBy(shops: Shop[], { cookies }: Visitor): Promise<number[]> {
  return Promise.all(
    shops.map(async (shop) => {
      const visitor = new Visitor(shop);
      for (const [name, value] of cookies) visitor.cookies.set(name, value);
      return (await visitor.whoAmI()).status;
    }),
  );
}

function answersOf(shops: Shop[], secret: string): Promise<number[]> {
  return Promise.all(
    shops.map(async (shop) => {
      const event = succeededEvent(await placeOrder(shop));
      return (await deliver(shop, event, { secret })).status;
    }),
  );
}

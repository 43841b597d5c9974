import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, expect, inject, test } from 'vitest';
import { mailsAbout } from '../testing/buyer.ts';
import { createTestDatabase } from '../testing/databases.ts';
import { startShop } from '../testing/shop.ts';
import { buyByCard } from '../testing/stripe.ts';
import { waitFor } from '../testing/wait-for.ts';
import { createDatabase, type Database } from './database.ts';

const cleanUps: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

test('the role of the processes in docker-compose.yml sells a service and cannot change the schema, nor can the one that replaces it', async () => {
  const url = await createTestDatabase(inject('postgresUrl'));
  const owner = createDatabase(url);
  cleanUps.push(() => owner.destroy());
  const role = `qw_app_${randomBytes(4).toString('hex')}`;
  await createRole(owner, role);
  cleanUps.push(() => owner.raw(`drop owned by ${role}; drop role ${role}`));

  await sellAsRole(url, role);
  // As the manual rotates the password.
  const next = `${role}_next`;
  await owner.raw(`create role ${next} login in role ${role}; alter role ${role} nologin`);
  cleanUps.push(() => owner.raw(`drop role ${next}`));
  await sellAsRole(url, next);
});

async function sellAsRole(url: string, role: string): Promise<void> {
  const shop = await startShop({ env: { DATABASE_URL: url.replace('postgres@', `${role}@`) } });
  try {
    shop.startWorker();
    const { orderId } = await buyByCard(shop);
    await waitFor('both mails', async () => (await mailsAbout(shop, orderId)).length === 2);

    const changes = [
      'create table public.x ()',
      'create table bullmq.x ()',
      'drop table orders',
      'alter table orders add column x int',
    ];
    for (const change of [...changes, 'truncate order_history', `create role ${role}_x`]) {
      await expect(shop.db.raw(change), change).rejects.toMatchObject({ code: '42501' });
    }
  } finally {
    await shop.close();
  }
}

/** As deploy/postgres/roles.sh does, whose first two statements are for psql. */
async function createRole(owner: Database, role: string): Promise<void> {
  const script = readFileSync(path.resolve(import.meta.dirname, '../deploy/postgres/roles.sh'), 'utf8');
  const grants = script.slice(script.indexOf('create schema'), script.lastIndexOf('SQL'));
  await owner.raw(`create role ${role} login; ${grants.replaceAll('qw_app', role)}`);
}

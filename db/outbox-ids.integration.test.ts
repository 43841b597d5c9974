import { expect, inject, test } from 'vitest';
import { createTestDatabase } from '../testing/databases.ts';
import { createDatabase } from './database.ts';
import { reserveOutboxIds } from './outbox-ids.ts';

test('concurrent processes and inserts never share an id', async () => {
  const url = await createTestDatabase(inject('postgresUrl'));
  const processes = [createDatabase(url), createDatabase(url)];
  const [db] = processes;
  const reserved = processes.flatMap((process) =>
    Array.from({ length: 25 }, () => reserveOutboxIds(process, 100)),
  );
  const row = { job: 'reconcile-order', queue: 'payments', payload: '{}', due_at: new Date() };
  const written = Array.from({ length: 25 }, () => db?.('outbox').insert(row).returning('id'));
  const ids = (await Promise.all([...reserved, ...written])).flat().map((id) => String(id?.id ?? id));
  expect(ids).toHaveLength(5_025);
  expect(new Set(ids)).toHaveLength(5_025);
  await Promise.all(processes.map((process) => process.destroy()));
});

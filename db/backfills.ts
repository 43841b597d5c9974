import type { PaymentMethod } from '../core/orders.ts';
import type { Database, Transaction } from './database.ts';

export async function findFetchedUntil(db: Database, provider: PaymentMethod): Promise<Date | undefined> {
  const row = await db('backfills')
    .where({ provider })
    .first<{ until: Date | null }>({ until: 'fetched_until' });
  return row?.until ?? undefined;
}

export async function markFetched(
  db: Database | Transaction,
  provider: PaymentMethod,
  until: Date,
): Promise<void> {
  await db('backfills')
    .insert({ provider, fetched_until: until })
    .onConflict('provider')
    .merge(['fetched_until']);
}

import type { PaymentMethod } from '../core/orders.ts';
import type { Database, Transaction } from './database.ts';
import { enqueue } from './outbox.ts';

/** Enqueues a backfill for each of these providers whose turn it is. Row locks make each the work of one worker. */
export async function enqueueDueBackfills(
  trx: Transaction,
  providers: readonly PaymentMethod[],
  everyMs: number,
): Promise<void> {
  const inTime = trx.raw(`now() + ? * interval '1 millisecond'`, [everyMs]);
  await trx('backfills')
    .insert(providers.map((provider) => ({ provider, next_at: inTime })))
    .onConflict('provider')
    .ignore();
  const due = await trx('backfills')
    .where('next_at', '<=', trx.fn.now())
    .whereIn('provider', [...providers])
    .update({ next_at: inTime })
    .returning<{ provider: PaymentMethod }[]>('provider');
  for (const { provider } of due) await enqueue(trx, { name: 'backfill-events', payload: { provider } });
}

/** Up to when the provider's events have been fetched; undefined before the first time. */
export async function findFetchedUntil(db: Database, provider: PaymentMethod): Promise<Date | undefined> {
  const row = await db('backfills')
    .where({ provider })
    .first<{ until: Date | null }>({ until: 'fetched_until' });
  return row?.until ?? undefined;
}

export async function markFetched(trx: Transaction, provider: PaymentMethod, until: Date): Promise<void> {
  await trx('backfills').where({ provider }).update({ fetched_until: until });
}

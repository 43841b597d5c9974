import { paymentMethods } from '../core/orders.ts';
import type { Database } from '../db/database.ts';
import { backfillSchedule } from '../orders/backfill-events.ts';

/** Makes every provider's event backfill due. */
export async function makeBackfillsDue(db: Database): Promise<void> {
  const due = paymentMethods.map((provider) => ({ name: backfillSchedule(provider), next_at: db.fn.now() }));
  await db('schedules').insert(due).onConflict('name').merge();
}

import type { FailedTransfer, TransferKind } from '../core/failed-transfers.ts';
import { recordset, runBatch } from './batch-sql.ts';
import type { Database, Transaction } from './database.ts';

/** Of a {@link FailedTransfer}. */
export const TRANSFER_COLUMNS =
  'kind text, provider text, "transferId" text, "orderId" uuid, amount bigint, currency text, reason text';

/** Records the payouts and refunds of the CTE `failed`. Known ones are left as they are, dismissed or not. */
export const RECORD_TRANSFERS = `
  insert into failed_transfers (kind, provider, transfer_id, order_id, amount, currency, reason)
  select kind, provider, "transferId", "orderId", amount, currency, reason from failed
  on conflict (provider, kind, transfer_id) do nothing`;

export async function recordFailedTransfer(trx: Transaction, transfer: FailedTransfer): Promise<void> {
  const failed = recordset(TRANSFER_COLUMNS, [transfer]);
  await runBatch(trx, [transfer], `with failed as (${failed}) ${RECORD_TRANSFERS}`);
}

export interface OpenTransfer extends FailedTransfer {
  id: string;
  failedAt: Date;
}

/** Failed payouts and refunds that staff have not dismissed, newest first. */
export async function listFailedTransfers(
  db: Database,
  limit: number,
  kind?: TransferKind,
): Promise<OpenTransfer[]> {
  const open = db('failed_transfers')
    .select('id', 'kind', 'provider', 'currency', 'reason', {
      amount: db.raw('amount::float8'),
      transferId: 'transfer_id',
      orderId: 'order_id',
      failedAt: 'failed_at',
    })
    .whereNull('dismissed_at')
    .orderBy('id', 'desc')
    .limit(limit);
  return kind ? open.where({ kind }) : open;
}

/** The order that a failed transfer is about, null if it is about none; undefined if there is no such transfer. */
export async function findOrderOfTransfer(db: Database, id: string): Promise<string | null | undefined> {
  const row = await db('failed_transfers').where({ id }).first('order_id');
  return row?.order_id;
}

/** Dismisses it with the reason. False unless it was open. */
export async function dismissTransfer(db: Database, id: string, why: string): Promise<boolean> {
  const changed = await db('failed_transfers')
    .where({ id })
    .whereNull('dismissed_at')
    .update({ dismissed_at: db.fn.now(), dismissed_because: why });
  return changed > 0;
}

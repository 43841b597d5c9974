import type { Database } from './database.ts';
import { SUBJECT } from './outbox.ts';

/** A refund that staff asked for and that no worker has made yet; one that failed permanently may be run again. Cents. */
export interface WaitingRefund {
  /** Of its job. */
  id: string;
  paymentId: string;
  amount: number;
  /** By the database's clock, ms since the epoch. */
  requestedAt: number;
  hasFailed: boolean;
}

export async function listWaitingRefunds(db: Database, orderId: string): Promise<WaitingRefund[]> {
  const { rows } = await db.raw<{ rows: WaitingRefund[] }>(
    `select id, payload->>'paymentId' as "paymentId", (payload->>'amount')::int as amount,
       extract(epoch from created_at)::float8 * 1000 as "requestedAt", status = 'dead' as "hasFailed"
     from outbox where job = 'refund-payment' and status in ('open', 'dead') and ${SUBJECT} = ?`,
    [orderId],
  );
  return rows;
}

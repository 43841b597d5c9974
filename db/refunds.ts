import type { Database } from './database.ts';
import { SUBJECT } from './outbox.ts';

/** A refund that staff asked for and that no worker has made yet; one that failed permanently may be run again. Cents. */
export interface WaitingRefund {
  paymentId: string;
  amount: number;
}

export async function listWaitingRefunds(db: Database, orderId: string): Promise<WaitingRefund[]> {
  const { rows } = await db.raw<{ rows: WaitingRefund[] }>(
    `select payload->>'paymentId' as "paymentId", (payload->>'amount')::int as amount
     from outbox where job = 'refund-payment' and status in ('open', 'dead') and ${SUBJECT} = ?`,
    [orderId],
  );
  return rows;
}

import { refundJobs } from '../core/jobs.ts';
import type { Database } from './database.ts';
import { SUBJECT } from './outbox.ts';

/** A refund that staff asked for and that no worker has made yet; one that failed permanently may be run again. Cents. */
export interface WaitingRefund {
  /** Of the refund's job. */
  id: string;
  paymentId: string;
  amount: number;
  /** By the database's clock, ms since the epoch. */
  requestedAt: number;
  hasFailed: boolean;
}

/** Whether a refund job of the payment is open, or is a dead letter that staff can retry. */
export async function hasOpenRefund(db: Database, orderId: string, paymentId: string): Promise<boolean> {
  const { rows } = await db.raw<{ rows: unknown[] }>(
    `select from outbox where job = any(?) and status in ('open', 'dead') and ${SUBJECT} = ? and payload->>'paymentId' = ?
     limit 1`,
    [[...refundJobs], orderId, paymentId],
  );
  return rows.length > 0;
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

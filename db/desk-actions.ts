import type { Staff } from '../core/staff.ts';
import type { Database, Transaction } from './database.ts';
import { requestIdOf } from './unit-of-work.ts';

export interface NewDeskAction {
  /** Made by the caller for one action: a repetition of it is not done again. */
  key: string;
  action: string;
  reason: string;
  orderId?: string;
  /** What else it is about: the id of an e-mail, a job or a message. */
  subject?: string;
  details?: Record<string, unknown>;
}

/** Records what a member of staff does, in the transaction that does it. False if it was recorded before. */
export async function recordDeskAction(
  trx: Transaction,
  staff: Staff,
  done: NewDeskAction,
): Promise<boolean> {
  const { rows } = await trx.raw<{ rows: unknown[] }>(
    `insert into desk_actions (key, user_id, staff, action, order_id, subject, reason, details, request_id)
     values (:key, :userId, :staff, :action, :orderId, :subject, :reason, :details, :requestId)
     on conflict (key) do nothing returning id`,
    {
      key: done.key,
      userId: staff.userId,
      staff: staff.name,
      action: done.action,
      orderId: done.orderId ?? null,
      subject: done.subject ?? null,
      reason: done.reason,
      details: JSON.stringify(done.details ?? {}),
      requestId: requestIdOf(trx),
    },
  );
  return rows.length > 0;
}

export interface DeskAction {
  at: Date;
  staff: string;
  action: string;
  reason: string;
  subject: string | null;
}

export async function listDeskActions(db: Database, orderId: string): Promise<DeskAction[]> {
  return db('desk_actions')
    .select('at', 'staff', 'action', 'reason', 'subject')
    .where({ order_id: orderId })
    .orderBy('id');
}

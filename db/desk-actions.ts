import type { Staff } from '../core/staff.ts';
import type { Database, Transaction } from './database.ts';
import { requestIdOf } from './unit-of-work.ts';

export interface NewDeskAction {
  /** Made by the caller for one action. */
  key: string;
  action: string;
  reason: string;
  orderId?: string;
  /** What else it is about: the id of an e-mail, a job or a message. */
  subject?: string;
  details?: Record<string, unknown>;
}

/** Records what a member of staff does, in the transaction that does it. False if the key was used before. */
export async function recordDeskAction(
  trx: Transaction,
  staff: Staff,
  done: NewDeskAction,
): Promise<boolean> {
  const { rows } = await trx.raw<{ rows: unknown[] }>(
    `insert into desk_actions (key, user_id, staff, action, order_id, subject, reason, details, request_id)
     values (:key, :userId, :staff, :action, :orderId, :subject, :reason, :details, :requestId)
     on conflict (key) do nothing returning id`,
    { ...valuesOf(staff, done), staff: staff.name, requestId: requestIdOf(trx) },
  );
  return rows.length > 0;
}

/** Whether this key was used by the same person for the same action, whatever they saw before it. */
export async function isSameDeskAction(
  trx: Transaction,
  staff: Staff,
  done: NewDeskAction,
): Promise<boolean> {
  const { rows } = await trx.raw<{ rows: unknown[] }>(
    `select from desk_actions
     where key = :key and user_id = :userId and action = :action and reason = :reason
       and order_id is not distinct from :orderId::uuid and subject is not distinct from :subject
       and details - '{seen,left}'::text[] = :details::jsonb - '{seen,left}'::text[]`,
    valuesOf(staff, done),
  );
  return rows.length > 0;
}

function valuesOf({ userId }: Staff, done: NewDeskAction) {
  const { key, action, reason, orderId = null, subject = null, details = {} } = done;
  return { key, userId, action, reason, orderId, subject, details: JSON.stringify(details) };
}

/** What was done, from a row of `desk_actions`: 'refund of $450.00 #pi_1', 'export orders with status paid'. */
export const ACTION_TEXT = `action
  || coalesce(' of ' || to_char((details->>'amount')::numeric / 100, 'FM$999,999,990.00'), '')
  || case action
       when 'decide' then ' as ' || (details->>'status')
       when 'export orders' then coalesce(
         (select ' with ' || string_agg(key || ' ' || value, ', ' order by key) from jsonb_each_text(details)), '')
       else '' end
  || coalesce(' #' || subject, '')`;

interface DeskAction {
  cursor: string;
  at: Date;
  staff: string;
  text: string;
  reason: string;
  orderId: string | null;
}

/** What staff did, newest first, after a place in the list. */
export async function listDeskActions(
  db: Database,
  after: string | undefined,
  limit: number,
): Promise<DeskAction[]> {
  const actions = db('desk_actions')
    .select('at', 'staff', 'reason', { cursor: 'id', orderId: 'order_id', text: db.raw(ACTION_TEXT) })
    .orderBy('id', 'desc')
    .limit(limit);
  if (after) actions.where('id', '<', after);
  return actions;
}

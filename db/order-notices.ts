import { ORDER_CHANGED } from '../core/jobs.ts';
import type { Database, Transaction } from './database.ts';
import type { WatchedStatus } from './order-status.ts';

/** Notifies every web process that the order changed, when the transaction commits. */
export async function notifyOrder(trx: Database | Transaction, orderId: string): Promise<void> {
  await trx.raw('select pg_notify(?, ?)', [ORDER_CHANGED, orderId]);
}

/** PostgreSQL refuses a payload of 8,000 bytes. */
const MAX_NOTICE_BYTES = 7_999;
const PAID_AT = '"paidAt":"2026-01-31T12:00:00.000Z"';

/** A changed order's status, whose `paidAt` {@link NOTIFY} adds as the statement decides it; if too long, its id. */
export function toNotice({ paidAt: _paidAt, ...status }: WatchedStatus): string {
  const notice = JSON.stringify(status);
  return Buffer.byteLength(notice + PAID_AT) < MAX_NOTICE_BYTES ? notice : status.id;
}

/** SQL: notifies every web process of a row's `notice`, unless it is null, when the statement commits. */
export const NOTIFY = `case when notice is not null then pg_notify('${ORDER_CHANGED}', case when notice like '{%'
  then left(notice, -1) || ',"paidAt":' || coalesce(to_json(to_char(paid_at at time zone 'UTC',
    'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))::text, 'null') || '}'
  else notice end) end`;

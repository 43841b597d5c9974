import { type CsvColumns, csvHead, csvRow } from '../core/csv.ts';
import type { OrderExport } from '../core/desk-orders.ts';
import { toDecimalString } from '../core/money.ts';
import type { Staff } from '../core/staff.ts';
import { listOrders } from '../db/order-list.ts';
import type { ListedOrder } from '../db/order-rows.ts';
import type { OrderParts } from './parts.ts';
import { requireFreshOperator } from './permissions.ts';
import { recordNewAction } from './record-action.ts';

const BATCH = 1_000;

const columns: CsvColumns<ListedOrder> = [
  ['id', ({ id }) => id],
  ['created_at', ({ createdAt }) => createdAt.toISOString()],
  ['status', ({ status }) => status],
  ['amount', ({ amount }) => toDecimalString(amount)],
  ['currency', ({ currency }) => currency],
  ['service', ({ serviceName }) => serviceName],
  ['name', ({ customerName }) => customerName],
  ['email', ({ customerEmail }) => customerEmail],
  ['method', ({ paymentMethod }) => paymentMethod],
  ['payment', ({ paymentIntentId }) => paymentIntentId ?? ''],
];

/** The orders that pass the filters as CSV, newest first, in chunks of lines. Each export is recorded. @throws OrderError */
export async function* exportOrders(
  { db, outbox }: Pick<OrderParts, 'db' | 'outbox'>,
  staff: Staff,
  { filters, ...wanted }: OrderExport,
  requestId: string,
): AsyncGenerator<string> {
  requireFreshOperator(staff);
  await outbox.transaction(requestId, (trx) =>
    recordNewAction(trx, staff, { ...wanted, action: 'export orders', details: filters }),
  );
  yield `${csvHead(columns)}\r\n`;
  for (let after: string | undefined; ; ) {
    const orders = await listOrders(db, filters, after, BATCH);
    const lines = orders.map((order) => csvRow(columns, order));
    if (lines.length > 0) yield `${lines.join('\r\n')}\r\n`;
    after = orders.at(-1)?.cursor;
    if (orders.length < BATCH) return;
  }
}

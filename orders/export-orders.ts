import { csvLine } from '../core/csv.ts';
import type { OrderExport } from '../core/desk-orders.ts';
import { toDecimalString } from '../core/money.ts';
import type { Staff } from '../core/staff.ts';
import { listOrders } from '../db/order-list.ts';
import type { OrderParts } from './parts.ts';
import { requireOperator } from './permissions.ts';
import { recordNewAction } from './record-action.ts';

const BATCH = 1_000;

const head = [
  'id',
  'created_at',
  'status',
  'amount',
  'currency',
  'service',
  'name',
  'email',
  'method',
  'payment',
];

/** The orders that pass the filters as CSV, newest first, in chunks of lines. Each export is recorded. @throws OrderError */
export async function* exportOrders(
  { db, outbox }: Pick<OrderParts, 'db' | 'outbox'>,
  staff: Staff,
  { filters, ...wanted }: OrderExport,
  requestId: string,
): AsyncGenerator<string> {
  requireOperator(staff);
  await outbox.transaction(requestId, (trx) =>
    recordNewAction(trx, staff, { ...wanted, action: 'export orders', details: filters }),
  );
  yield `${csvLine(head)}\r\n`;
  for (let after: string | undefined; ; ) {
    const orders = await listOrders(db, filters, after, BATCH);
    const lines = orders.map((order) =>
      csvLine([
        ...[order.id, order.createdAt.toISOString(), order.status],
        ...[toDecimalString(order.amount), order.currency, order.serviceName],
        ...[order.customerName, order.customerEmail, order.paymentMethod, order.paymentIntentId ?? ''],
      ]),
    );
    if (lines.length > 0) yield `${lines.join('\r\n')}\r\n`;
    after = orders.at(-1)?.cursor;
    if (orders.length < BATCH) return;
  }
}

import { unsettledStatuses } from '../core/order-lifecycle.ts';
import type { OrderStatus, PaymentMethod } from '../core/orders.ts';
import type { PaymentFacts } from '../core/payment-facts.ts';
import { recordset, runBatch, selectBatch } from './batch-sql.ts';
import { frugal, inBatches, perOwner } from './batches.ts';
import type { Database, Transaction } from './database.ts';
import { newOrderId } from './order-ids.ts';
import { requestIdOf } from './unit-of-work.ts';

export interface Order {
  id: string;
  userId: string | null;
  serviceId: string;
  customerName: string;
  customerEmail: string;
  paymentMethod: PaymentMethod;
  /** Stripe's PaymentIntent id or PayPal's order id, once there is one. */
  paymentIntentId: string | null;
  /** Payments that were replaced. Their money still counts. */
  formerPaymentIds: string[];
  amount: number;
  currency: string;
  amountRefunded: number;
  status: OrderStatus;
  facts: PaymentFacts;
  failureReason: string | null;
  requestFingerprint: string | null;
  checks: number;
  /** Incremented whenever its state or its payment changes. */
  version: number;
  paidAt: Date | null;
  createdAt: Date;
}

export const orderColumns = {
  id: 'id',
  userId: 'user_id',
  serviceId: 'service_id',
  customerName: 'customer_name',
  customerEmail: 'customer_email',
  paymentMethod: 'payment_method',
  paymentIntentId: 'payment_intent_id',
  formerPaymentIds: 'former_payment_ids',
  amount: 'amount',
  currency: 'currency',
  amountRefunded: 'amount_refunded',
  status: 'status',
  facts: 'payment_facts',
  failureReason: 'failure_reason',
  requestFingerprint: 'request_fingerprint',
  checks: 'checks',
  version: 'version',
  paidAt: 'paid_at',
  createdAt: 'created_at',
} as const;

/** The order's current payment first, then its former ones. Money may be known of a payment that the row has lost. */
export function paymentIdsOf({
  paymentIntentId,
  formerPaymentIds,
  facts,
}: Pick<Order, 'paymentIntentId' | 'formerPaymentIds' | 'facts'>): string[] {
  const current = paymentIntentId ? [paymentIntentId] : [];
  return [...new Set([...current, ...formerPaymentIds, ...Object.keys(facts.captures)])];
}

const returningOrder = Object.entries(orderColumns).map(([name, column]) => `${column} as ${name}`);

export const ORDER_COLUMNS = Object.entries(orderColumns)
  .map(([name, column]) => `${column} as "${name}"`)
  .join(', ');

interface NewOrder {
  userId: string | null;
  serviceId: string;
  customerName: string;
  customerEmail: string;
  paymentMethod: PaymentMethod;
  amount: number;
  idempotencyKey: string | null;
  requestFingerprint: string;
  firstCheckInMs: number;
}

/**
 * Creates the order with its first history row in one statement. If the idempotency key is taken, nothing is
 * created and the order of that key is returned, whatever it was made of: compare `requestFingerprint`.
 */
export async function createOrder(db: Database, order: NewOrder, requestId: string): Promise<Order> {
  const created = await insertOrders(db)({ ...order, id: newOrderId(), requestId });
  if (created) return created;
  const existing = order.idempotencyKey && (await findOrderByKey(db, order.idempotencyKey));
  if (!existing) throw new Error('An order was neither created nor found by its idempotency key');
  return existing;
}

export async function findOrderByKey(db: Database, idempotencyKey: string): Promise<Order | undefined> {
  return db('orders').select(orderColumns).where({ idempotency_key: idempotencyKey }).first();
}

/** The order as created, undefined if its idempotency key is taken. */
const insertOrders = perOwner((db: Database) =>
  inBatches<NewOrder & { id: string; requestId: string }, Order | undefined>(async (orders) => {
    const rows = await runBatch<Order>(
      db,
      orders,
      `with wanted as (
         ${recordset(
           `id uuid, "requestId" text, "userId" uuid, "serviceId" uuid, "customerName" text, "customerEmail" text,
           "paymentMethod" text, amount int, "idempotencyKey" text, "requestFingerprint" text, "firstCheckInMs" int`,
           orders,
         )}),
       created as (
         insert into orders (id, user_id, service_id, customer_name, customer_email, payment_method, amount,
           idempotency_key, request_fingerprint, next_check_at)
         select id, "userId", "serviceId", "customerName", "customerEmail", "paymentMethod", amount,
           "idempotencyKey", "requestFingerprint", now() + "firstCheckInMs" * interval '1 millisecond'
         from wanted
         on conflict (idempotency_key) do nothing
         returning *),
       history as (
         insert into order_history (order_id, to_status, cause, request_id)
         select created.id, created.status, 'order created', wanted."requestId"
         from created join wanted on wanted.id = created.id)
       select ${ORDER_COLUMNS} from created`,
    );
    return orders.map(({ id }) => rows.find((row) => row.id === id));
  }, frugal),
);

export type LostOrder = Omit<NewOrder, 'idempotencyKey' | 'requestFingerprint'> &
  Pick<Order, 'id' | 'currency' | 'createdAt'> & { paymentIntentId: string };

/** Recreates an order under its id, with its payment. `cause` is its first history row's. Undefined if the id is taken. */
export async function recreateOrder(
  trx: Transaction,
  { firstCheckInMs, ...order }: LostOrder,
  cause: string,
): Promise<Order | undefined> {
  const [created]: Order[] = await trx('orders')
    .insert({
      ...Object.fromEntries(
        Object.entries(order).map(([name, value]) => [orderColumns[name as Field], value]),
      ),
      next_check_at: trx.raw(`now() + ? * interval '1 millisecond'`, [firstCheckInMs]),
    })
    .onConflict('id')
    .ignore()
    .returning(returningOrder);
  if (!created) return undefined;
  await trx('order_history').insert({
    order_id: created.id,
    to_status: created.status,
    cause,
    request_id: requestIdOf(trx),
  });
  return created;
}

type Field = keyof typeof orderColumns;

export function findOrder(db: Database, id: string): Promise<Order | undefined> {
  return findOrders(db)(id);
}

export async function lockOrder(trx: Transaction, id: string): Promise<Order | undefined> {
  return trx('orders').select(orderColumns).where({ id }).forUpdate().first();
}

const findOrders = perOwner((db: Database) =>
  inBatches<string, Order | undefined>(async (ids) => {
    const rows = await selectBatch<Order>(
      db,
      ids,
      (isOneOf) => `select ${ORDER_COLUMNS} from orders where id ${isOneOf}`,
    );
    return ids.map((id) => rows.find((row) => row.id === id.toLowerCase()));
  }),
);

export function findOrderByPayment(db: Database, paymentIntentId: string): Promise<Order | undefined> {
  return findOrdersByPayment(db)(paymentIntentId);
}

const findOrdersByPayment = perOwner((db: Database) =>
  inBatches<string, Order | undefined>(async (ids) => {
    const rows = await selectBatch<Order>(
      db,
      ids,
      (isOneOf) => `select ${ORDER_COLUMNS} from orders where payment_intent_id ${isOneOf}`,
    );
    return ids.map((id) => rows.find((row) => row.paymentIntentId === id));
  }),
);

/** Records the provider's payment, once. False if the order is settled, or has another one or another method by now. */
export function attachPayment(db: Database, order: Order, paymentIntentId: string): Promise<boolean> {
  return attachPayments(db)({ order, paymentIntentId });
}

const attachPayments = perOwner((db: Database) =>
  inBatches<{ order: Order; paymentIntentId: string }, boolean>(async (payments) => {
    const wanted = payments.map(({ order, paymentIntentId }) => ({
      id: order.id,
      method: order.paymentMethod,
      former: order.formerPaymentIds.length,
      payment: paymentIntentId,
    }));
    const rows = await runBatch<{ id: string; payment: string }>(
      db,
      wanted,
      `update orders set payment_intent_id = wanted.payment, version = version + 1, updated_at = now()
       from (${recordset('id uuid, method text, former int, payment text', wanted)}) as wanted
       where orders.id = wanted.id and payment_method = wanted.method
         and cardinality(former_payment_ids) = wanted.former
         and coalesce(payment_intent_id, wanted.payment) = wanted.payment and status = any(:unsettled)
       returning orders.id, payment_intent_id as payment`,
      { unsettled: unsettledStatuses },
    );
    return wanted.map(({ id, payment }) => rows.some((row) => row.id === id && row.payment === payment));
  }, frugal),
);

/**
 * Makes the order's payment a former one, for a new one to be created, perhaps by another method. Bumps the version, so
 * that nothing decided on the former payment is written. Undefined if the order is no longer the one that was read.
 */
export async function replacePayment(
  trx: Transaction,
  { id, paymentMethod, paymentIntentId }: Order,
  method: PaymentMethod,
): Promise<Order | undefined> {
  const [order] = await trx('orders')
    .where({ id, payment_method: paymentMethod, payment_intent_id: paymentIntentId })
    .whereIn('status', ['pending', 'failed'])
    .update({
      payment_method: method,
      payment_intent_id: null,
      former_payment_ids: trx.raw('array_remove(array_append(former_payment_ids, payment_intent_id), null)'),
      version: trx.raw('version + 1'),
      updated_at: trx.fn.now(),
    })
    .returning(returningOrder);
  return order as Order | undefined;
}

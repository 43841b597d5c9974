import type { AccountView } from '../core/account.ts';
import { isDebitReturned } from '../core/order-money.ts';
import type { Database } from './database.ts';

const MAX_ORDERS = 100;

export async function findAccount(db: Database, userId: string): Promise<AccountView | undefined> {
  const [user, orders] = await Promise.all([findUser(db, userId), listOrders(db, userId)]);
  return user && { ...user, orders };
}

async function findUser(db: Database, userId: string): Promise<Omit<AccountView, 'orders'> | undefined> {
  return db('users')
    .leftJoin('newsletter_subscriptions as n', (join) =>
      join.on(db.raw('lower(n.email) = lower(users.email)')),
    )
    .select({
      email: 'users.email',
      name: db.raw(`nullif(concat_ws(' ', users.first_name, users.last_name), '')`),
      enrollmentStatus: 'users.enrollment_status',
      newsletter: db.raw(`coalesce(n.status, 'none')`),
    })
    .where('users.id', userId)
    .first();
}

async function listOrders(db: Database, userId: string): Promise<AccountView['orders']> {
  const rows = await db('orders')
    .join('services', 'services.id', 'orders.service_id')
    .select({
      id: 'orders.id',
      serviceName: 'services.name',
      amount: 'orders.amount',
      amountRefunded: 'orders.amount_refunded',
      currency: 'orders.currency',
      status: 'orders.status',
      facts: 'orders.payment_facts',
      createdAt: 'orders.created_at',
    })
    .where('orders.user_id', userId)
    .orderBy('orders.created_at', 'desc')
    .limit(MAX_ORDERS);
  return rows.map(({ facts, ...row }) => ({
    ...row,
    debitReturned: isDebitReturned(row, facts),
    createdAt: row.createdAt.toISOString(),
  }));
}

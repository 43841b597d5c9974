import type { Database, Transaction } from './database.ts';
import { ABANDONED, anonymizeOrders, EMPTY_EVENTS } from './retention.ts';

export interface PersonData {
  users: object[];
  orders: object[];
  emails: object[];
  contactMessages: object[];
  newsletter: object[];
}

export async function exportPerson(db: Database, email: string): Promise<PersonData> {
  const [users, orders, emails, contactMessages, newsletter] = await Promise.all([
    db('users').whereRaw('lower(email) = lower(?)', [email]),
    ordersOf(db, email).select(
      'id',
      'customer_name',
      'customer_email',
      'amount',
      'currency',
      'amount_refunded',
      'status',
      'payment_method',
      'payment_intent_id',
      'created_at',
      'paid_at',
    ),
    db('emails').select('kind', 'recipient', 'sent_at').whereRaw('lower(recipient) = lower(?)', [email]),
    db('contact_messages').whereRaw('lower(email) = lower(?)', [email]),
    db('newsletter_subscriptions').whereRaw('lower(email) = lower(?)', [email]),
  ]);
  return { users, orders, emails, contactMessages, newsletter };
}

export interface Erased {
  users: number;
  orders: number;
  events: number;
  emails: number;
  contactMessages: number;
  newsletter: number;
  /** Orders that keep name and address: accounting records and unfinished orders. */
  kept: { id: string; status: string }[];
}

/** Erases the person with this address, except for what the law requires to be kept. Does not end their sessions. */
export async function erasePerson(trx: Transaction, email: string): Promise<Erased> {
  const orders: { id: string; status: string; isAbandoned: boolean }[] = await ordersOf(trx, email).select(
    'id',
    'status',
    { isAbandoned: trx.raw(ABANDONED) },
  );
  const abandoned = orders.filter(({ isAbandoned }) => isAbandoned).map(({ id }) => id);
  await anonymizeOrders(trx, abandoned);
  const { rowCount: events } = await trx.raw<{ rowCount: number }>(
    `${EMPTY_EVENTS} where order_id = any(?) and emptied_at is null and status in ('processed', 'ignored')`,
    [orders.map(({ id }) => id)],
  );
  return {
    users: await trx('users').whereRaw('lower(email) = lower(?)', [email]).delete(),
    orders: abandoned.length,
    events,
    emails: await trx('emails').whereRaw('lower(recipient) = lower(?)', [email]).update({ recipient: null }),
    contactMessages: await trx('contact_messages').whereRaw('lower(email) = lower(?)', [email]).delete(),
    newsletter: await trx('newsletter_subscriptions').whereRaw('lower(email) = lower(?)', [email]).delete(),
    kept: orders.filter(({ isAbandoned }) => !isAbandoned).map(({ id, status }) => ({ id, status })),
  };
}

function ordersOf(db: Database, email: string) {
  return db('orders').whereRaw('lower(customer_email) = lower(?)', [email]).orderBy('created_at');
}

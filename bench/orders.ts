import { randomUUID } from 'node:crypto';
import Stripe from 'stripe';
import type { Database } from '../db/database.ts';
import type { Request } from './load.ts';

const stripe = new Stripe('sk_test_unused');

/** Inserts `count` pending orders with their payments. Returns their ids. */
export async function storeOrders(db: Database, count: number): Promise<string[]> {
  const { rows } = await db.raw<{ rows: { id: string }[] }>(
    `insert into orders (id, payment_intent_id, service_id, customer_name, customer_email, payment_method, amount)
     select id, 'pi_' || replace(id::text, '-', ''), (select id from services where slug = 'audit'),
       'Ada', 'ada@example.com', 'stripe', 299900
     from (select gen_random_uuid() as id from generate_series(1, ?)) as fresh returning id`,
    [count],
  );
  return rows.map((row) => row.id);
}

/** A signed success event for each order. */
export function signedSuccesses(orderIds: string[]): Request[] {
  return orderIds.map((orderId) => {
    const payment = orderId.replaceAll('-', '');
    const body = JSON.stringify({
      id: `evt_${payment}`,
      object: 'event',
      type: 'payment_intent.succeeded',
      created: Math.floor(Date.now() / 1000),
      data: {
        object: {
          id: `pi_${payment}`,
          object: 'payment_intent',
          status: 'succeeded',
          amount: 299_900,
          amount_received: 299_900,
          currency: 'usd',
          latest_charge: `ch_${payment}`,
          metadata: { app: 'querywright', deployment: 'test', orderId },
        },
      },
    });
    const signature = stripe.webhooks.generateTestHeaderString({ payload: body, secret: 'whsec_sandbox' });
    return {
      path: '/api/webhooks/stripe',
      headers: { 'content-type': 'application/json', 'stripe-signature': signature },
      body,
    };
  });
}

export function orderRequests(count: number): Request[] {
  return Array.from({ length: count }, (_, number) => ({
    path: '/api/create-payment-intent',
    headers: { 'content-type': 'application/json', 'idempotency-key': randomUUID() },
    body: JSON.stringify({
      serviceId: 'audit',
      customerName: `Buyer ${number}`,
      customerEmail: `buyer-${number}@example.com`,
      amount: 299_900,
    }),
  }));
}

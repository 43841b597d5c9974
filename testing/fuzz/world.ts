import type { RunningSandbox } from '@querywright/sandbox/testing';
import type { Database } from '../../db/database.ts';
import type { Config } from '../../infra/config.ts';
import { createTokens, type Tokens } from '../../infra/tokens.ts';
import { post } from '../buyer.ts';
import { Visitor } from '../visitor.ts';

/** Nobody may find these in a log or in an error: they stand in many of the requests. */
export const canary = {
  name: 'Kanarienvogel Zitronengelb',
  mailDomain: 'canary.example',
  card: '4000056655665556',
} as const;
export const anyCanary = /kanarienvogel|canary\.example|4000056655665556/i;

export interface Order {
  orderId: string;
  amount: number;
  /** The PaymentIntent's or PayPal order's id, where it was asked for. */
  paymentId?: string | undefined;
}

/** What valid requests can speak of: it grows while they are answered. */
export interface World {
  url: string;
  sandbox: RunningSandbox;
  config: Config;
  db: Database;
  tokens: Tokens;
  cardOrders: Order[];
  paypalOrders: Order[];
  visitors: Visitor[];
}

const KEPT = 200;

export async function createWorld(scene: Pick<World, 'url' | 'sandbox' | 'config' | 'db'>): Promise<World> {
  const visitors = [new Visitor(scene), new Visitor(scene)];
  await visitors[0]?.signIn('person-pending');
  await visitors[1]?.signIn('person-completed');
  return {
    ...scene,
    tokens: createTokens(scene.config.sessionSecrets),
    cardOrders: [],
    paypalOrders: [],
    visitors,
  };
}

export function remember(orders: Order[], order: Order): void {
  orders.push(order);
  if (orders.length > KEPT) orders.shift();
}

/** One of them; `salt` decides which. */
export function pick<T>(list: readonly T[], salt: number): T | undefined {
  return list[salt % Math.max(1, list.length)];
}

/** What the buyer does in PayPal's window. */
export function approve({ sandbox }: World, paypalOrderId: string): Promise<unknown> {
  return post({ url: `${sandbox.url}/paypal/sandbox` }, `/orders/${paypalOrderId}/approve`, {});
}

import type { RunningSandbox } from '@querywright/sandbox/testing';
import type { Database } from '../../db/database.ts';
import type { Config } from '../../infra/config.ts';
import { createTokens, type Tokens } from '../../infra/tokens.ts';
import { post } from '../buyer.ts';
import { atDesk, type DeskCaller } from '../desk.ts';
import { Visitor } from '../visitor.ts';

/** Personal data sent in many requests, which must not appear in a log or an error. */
export const canary = {
  name: 'Kanarienvogel Zitronengelb',
  mailDomain: 'canary.example',
  card: '4000056655665556',
} as const;
export const anyCanary = /kanarienvogel|canary\.example|4000056655665556/i;

interface Order {
  orderId: string;
  amount: number;
  /** The PaymentIntent's or PayPal order's id, once known. */
  paymentId?: string | undefined;
}

/** What valid requests can refer to. Grows as they are answered. */
export interface World {
  url: string;
  sandbox: RunningSandbox;
  config: Config;
  db: Database;
  tokens: Tokens;
  cardOrders: Order[];
  paypalOrders: Order[];
  visitors: Visitor[];
  /** An operator who has just signed in. */
  staff: DeskCaller;
}

const MAX_KEPT = 200;

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
    staff: await atDesk(scene, 'person-operator', { fresh: true }),
  };
}

export function remember(orders: Order[], order: Order): void {
  orders.push(order);
  if (orders.length > MAX_KEPT) orders.shift();
}

/** One item, chosen by `salt`. */
export function pick<T>(list: readonly T[], salt: number): T | undefined {
  return list[salt % Math.max(1, list.length)];
}

/** Approves the payment as the buyer does in PayPal's window. */
export function approve({ sandbox }: World, paypalOrderId: string): Promise<unknown> {
  return post({ url: `${sandbox.url}/paypal/sandbox` }, `/orders/${paypalOrderId}/approve`, {});
}

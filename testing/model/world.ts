import { randomUUID } from 'node:crypto';
import type { RunningSandbox } from '@querywright/sandbox/testing';
import type { PaymentMethod } from '../../core/orders.ts';
import { auditOrder, post } from '../buyer.ts';
import type { Child } from '../child-process.ts';
import type { Shop } from '../shop.ts';
import { type LedgerPayment, readLedger } from './ledger.ts';
import type { Model } from './model.ts';

/** One buyer's view of the shop, in which a sequence runs. */
export interface World {
  shop: Shop;
  /** A separate worker process beside the shop's, replaced after a kill -9. */
  doomed: { kill(): Promise<void> };
  /** The buyer's idempotency key. */
  key: string;
  /** The buyer's address: a mail server can refuse it alone. */
  email: string;
  violations: string[];
}

export function newWorld({ shop, doomed }: Pick<World, 'shop' | 'doomed'>): World {
  const key = randomUUID();
  return { shop, doomed, key, email: `buyer-${key}@example.com`, violations: [] };
}

/** Starts workers one after the other, as a platform replaces the one that died. */
export async function keepAlive(
  start: () => Promise<Child>,
): Promise<World['doomed'] & { stop(): Promise<void> }> {
  let current = start();
  await current;
  return {
    async kill() {
      const killed = current;
      current = killed.then(async (child) => {
        await child.kill();
        return start();
      });
      await current;
    },
    stop: async () => (await current).kill(),
  };
}

export function refresh(model: Model, { sandbox }: Pick<Shop, 'sandbox'>): void {
  if (model.orderId) model.payments = readLedger(sandbox, model.orderId);
}

/** Calls the shop. Records what no buyer may see: an error of ours, or no answer while no provider is down. */
export async function call(
  model: Model,
  { shop, violations, key }: World,
  path: string,
  body: object,
): Promise<{ status: number; body: Record<string, unknown> }> {
  const started = Date.now();
  const answer = await post(shop, path, body, { 'idempotency-key': key });
  model.mayFail ||= wasProviderAway(shop, started);
  const text = await answer.text();
  const isOurs = answer.status === 500 || (answer.status > 500 && !model.mayFail);
  if (isOurs) violations.push(`${path} answered ${answer.status}: ${text}`);
  return { status: answer.status, body: text ? JSON.parse(text) : {} };
}

const AWAY_MS = 30_000;
const awayUntil = new WeakMap<RunningSandbox, number>();

/** Makes the next two attempts to create a payment fail, for any order. */
export function takeAway({ shop: { sandbox } }: World, provider: PaymentMethod, mode: string): void {
  const match = provider === 'stripe' ? 'POST /stripe/v1/payment_intents' : 'POST /v2/checkout/orders';
  sandbox.faults.add({ target: provider, mode, count: 2, match });
  awayUntil.set(sandbox, Date.now() + AWAY_MS);
}

function wasProviderAway({ sandbox }: Shop, since: number): boolean {
  const isAway = sandbox.faults.list().some(({ match }) => match?.startsWith('POST '));
  return isAway || (awayUntil.get(sandbox) ?? 0) > since;
}

const MAX_TRIES = 4;

/** Places the order, or comes back to it, perhaps to pay it the other way. Tried again while a provider is away. */
export async function checkOut(model: Model, world: World, method: PaymentMethod): Promise<void> {
  const path = method === 'stripe' ? '/api/create-payment-intent' : '/api/create-paypal-order';
  const order = { ...auditOrder, customerEmail: world.email };
  const placed = await callAgain(model, world, path, order);
  if (placed.status !== 200) return;
  const orderId = String(placed.body.orderId);
  if (model.orderId && orderId !== model.orderId)
    world.violations.push(`a second order ${orderId} for one key`);
  model.orderId = orderId;
  if (method === 'paypal') await openWindow(model, world, orderId);
}

/** Follows the order's link, perhaps in another browser, to pay it by this method. */
export async function payByLink(model: Model, world: World, method: PaymentMethod): Promise<void> {
  const { orderId = '' } = model;
  const path = `/api/orders/${orderId}/payment`;
  const { status } = await callAgain(model, world, path, { paymentMethod: method });
  if (status === 200 && method === 'paypal') await openWindow(model, world, orderId);
}

async function openWindow(model: Model, world: World, orderId: string): Promise<void> {
  const payment = { orderId, amount: '2999.00', currency: 'USD', intent: 'CAPTURE' };
  await callAgain(model, world, '/api/paypal/order', payment);
}

async function callAgain(model: Model, world: World, path: string, body: object) {
  for (let tries = 1; ; tries++) {
    const answer = await call(model, world, path, body);
    if (answer.status < 500 || tries === MAX_TRIES) return answer;
  }
}

/** A control call of the sandbox, or a refusal where the provider's state does not allow it. */
export async function control(
  { sandbox }: Pick<Shop, 'sandbox'>,
  path: string,
  body: object = {},
): Promise<Record<string, unknown> | undefined> {
  const answer = await fetch(`${sandbox.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return answer.ok ? ((await answer.json()) as Record<string, unknown>) : undefined;
}

/** One of the matching payments, as of any tab that the buyer still has open. */
export function choose(
  model: Model,
  number: number,
  fits: (payment: LedgerPayment) => boolean,
): LedgerPayment | undefined {
  const fitting = model.payments.filter(fits);
  return fitting[number % Math.max(1, fitting.length)];
}

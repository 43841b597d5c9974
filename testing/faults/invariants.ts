import type { RunningSandbox } from '@querywright/sandbox/testing';
import { legalMoves } from '../../core/order-lifecycle.ts';
import type { OrderStatus } from '../../core/orders.ts';
import type { Database } from '../../db/database.ts';
import type { Bought } from './buyers.ts';

export interface Findings {
  violations: string[];
  paid: number;
  unpaid: number;
  mails: number;
  repeatedMails: number;
}

interface Scene {
  db: Database;
  sandbox: RunningSandbox;
  bought: Bought[];
}

const unpaidStatuses = new Set<OrderStatus>(['pending', 'processing', 'failed', 'canceled']);

/** Checks until nothing is wrong, for at most `withinMs`. */
export async function findViolations(scene: Scene & { withinMs: number }): Promise<Findings> {
  const deadline = Date.now() + scene.withinMs;
  for (;;) {
    const findings = await check(scene);
    if (findings.violations.length === 0 || Date.now() > deadline) return findings;
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}

async function check({ db, sandbox, bought }: Scene): Promise<Findings> {
  const mails = await inbox(sandbox);
  const violations = [
    ...(await wrongOrders(db, bought)),
    ...(await wrongHistories(db)),
    ...(await strayOrders(db, bought)),
    ...bought.flatMap((order) => wrongMails(order, mails)),
    ...(await secondIntents(sandbox)),
    ...secondCaptures(sandbox),
  ];
  const distinct = new Set(mails.map((mail) => mail.id));
  const paid = bought.filter((order) => order.paid).length;
  return {
    violations,
    paid,
    unpaid: bought.length - paid,
    mails: mails.length,
    repeatedMails: mails.length - distinct.size,
  };
}

/** Every paid order is `paid`, no unpaid one is. */
async function wrongOrders(db: Database, bought: Bought[]): Promise<string[]> {
  const rows: { id: string; status: OrderStatus }[] = await db('orders').select('id', 'status');
  const statusOf = new Map(rows.map((row) => [row.id, row.status]));
  return bought.flatMap(({ orderId, paid }) => {
    const status = statusOf.get(orderId);
    const right = status !== undefined && (paid ? status === 'paid' : unpaidStatuses.has(status));
    return right ? [] : [`order ${orderId} is ${status}, ${paid ? 'but was paid' : 'but was not paid'}`];
  });
}

/** Each order's history leads from its creation to its status by legal moves. */
async function wrongHistories(db: Database): Promise<string[]> {
  const rows: {
    order_id: string;
    from_status: OrderStatus | null;
    to_status: OrderStatus;
    status: OrderStatus;
  }[] = await db('order_history')
    .join('orders', 'orders.id', 'order_history.order_id')
    .select('order_id', 'from_status', 'to_status', 'status')
    .orderBy('order_history.id');
  const violations: string[] = [];
  const last = new Map<string, OrderStatus>();
  for (const row of rows) {
    const before = last.get(row.order_id) ?? null;
    const legal = before === null || legalMoves[before].includes(row.to_status);
    if (row.from_status !== before || !legal) {
      violations.push(
        `order ${row.order_id} went from ${before} to ${row.to_status} (written as from ${row.from_status})`,
      );
    }
    last.set(row.order_id, row.to_status);
  }
  for (const row of rows) {
    if (last.get(row.order_id) !== row.status)
      violations.push(`order ${row.order_id} is ${row.status} without its history`);
  }
  return [...new Set(violations)];
}

/** No repeated request created a second order. */
async function strayOrders(db: Database, bought: Bought[]): Promise<string[]> {
  const count = Number((await db('orders').count<{ count: string }>('* as count').first())?.count);
  return count === bought.length ? [] : [`${count} orders were stored for ${bought.length} bought`];
}

/** A paid order has one e-mail each to buyer and staff, repeated only with the same Message-ID; an unpaid one has none. */
function wrongMails(order: Bought, mails: Mail[]): string[] {
  const about = mails.filter((mail) => mail.text.includes(order.orderId));
  const ids = (toBuyer: boolean) =>
    new Set(about.filter((mail) => (mail.to === order.email) === toBuyer).map((mail) => mail.id));
  const wanted = order.paid ? 1 : 0;
  return [true, false].flatMap((toBuyer) =>
    ids(toBuyer).size === wanted
      ? []
      : [
          `${ids(toBuyer).size} different mails to ${toBuyer ? 'the buyer' : 'staff'} about order ${order.orderId}`,
        ],
  );
}

/** Each order has one PaymentIntent. */
async function secondIntents(sandbox: RunningSandbox): Promise<string[]> {
  const seen = new Map<string, number>();
  for await (const intent of sandbox.stripeClient.paymentIntents.list({ limit: 100 })) {
    const orderId = intent.metadata.orderId ?? '';
    seen.set(orderId, (seen.get(orderId) ?? 0) + 1);
  }
  return [...seen].flatMap(([orderId, count]) =>
    count === 1 ? [] : [`${count} PaymentIntents for order ${orderId}`],
  );
}

/** PayPal captured each order at most once. */
function secondCaptures({ paypal }: RunningSandbox): string[] {
  const seen = new Map<string, number>();
  for (const { custom_id: orderId = '' } of paypal.context.state.captures.values()) {
    seen.set(orderId, (seen.get(orderId) ?? 0) + 1);
  }
  return [...seen].flatMap(([orderId, count]) =>
    count === 1 ? [] : [`${count} captures for order ${orderId}`],
  );
}

interface Mail {
  id: string;
  to: string;
  text: string;
}

async function inbox(sandbox: RunningSandbox): Promise<Mail[]> {
  const messages = (await (await fetch(`${sandbox.url}/inbox/messages`)).json()) as {
    to: string[];
    text: string;
    headers: Record<string, string>;
  }[];
  return messages.map(({ to, text, headers }) => ({ id: headers['message-id'] ?? '', to: to.join(), text }));
}

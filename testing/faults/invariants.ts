import { setTimeout as sleep } from 'node:timers/promises';
import type { RunningSandbox } from '@querywright/sandbox/testing';
import type { Database } from '../../db/database.ts';
import { judgeOrder } from '../model/judge.ts';
import { readLedger } from '../model/ledger.ts';
import { checkNow } from '../model/rest.ts';
import { refresh } from '../model/world.ts';
import type { Bought } from './buyers.ts';

interface Findings {
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

/** Checks until nothing is wrong, for at most `withinMs`. Makes checks due now, which find withheld events. */
export async function findViolations(scene: Scene & { withinMs: number }): Promise<Findings> {
  const deadline = Date.now() + scene.withinMs;
  await filterInGroups(scene.bought, async ({ orderId, model }) => {
    if (model.mayMissEvents) await checkNow(scene, orderId);
    return false;
  });
  let wrong = scene.bought;
  while (wrong.length > 0 && Date.now() < deadline) {
    wrong = await filterInGroups(wrong, async (order) => (await violationsOf(scene, order)).length > 0);
    await sleep(PAUSE_MS);
  }
  // An order that was correct can still change: a check captures what the buyer approved.
  let findings = await check(scene);
  while (findings.violations.length > 0 && Date.now() < deadline) {
    await sleep(PAUSE_MS);
    findings = await check(scene);
  }
  return findings;
}

/** Checks a few at a time: there may be thousands, and the pool is small. */
async function filterInGroups(
  orders: Bought[],
  keep: (order: Bought) => Promise<boolean>,
): Promise<Bought[]> {
  const kept: Bought[] = [];
  for (let start = 0; start < orders.length; start += GROUP) {
    const group = orders.slice(start, start + GROUP);
    const verdicts = await Promise.all(group.map(keep));
    kept.push(...group.filter((_, index) => verdicts[index]));
  }
  return kept;
}

const GROUP = 20;
const PAUSE_MS = 250;

async function check(scene: Scene): Promise<Findings> {
  const { db, sandbox, bought } = scene;
  const mails = await inbox(sandbox);
  const violations: string[] = [];
  for (const order of bought) violations.push(...(await violationsOf(scene, order)));
  violations.push(
    ...(await strayOrders(db, bought)),
    ...bought.flatMap((order) => wrongMails(order, isPaid(sandbox, order), mails)),
    ...(await secondIntents(sandbox)),
    ...secondCaptures(sandbox),
  );
  const distinct = new Set(mails.map((mail) => mail.id));
  const paid = bought.filter((order) => isPaid(sandbox, order)).length;
  return {
    violations,
    paid,
    unpaid: bought.length - paid,
    mails: mails.length,
    repeatedMails: mails.length - distinct.size,
  };
}

/** Nothing lost, nothing doubled, nothing wrongly refunded, by the provider's own books. */
async function violationsOf({ db, sandbox }: Scene, { orderId, model }: Bought): Promise<string[]> {
  refresh(model, { sandbox });
  return (await judgeOrder({ db }, orderId, model)).map((violation) => `order ${orderId}: ${violation}`);
}

function isPaid(sandbox: RunningSandbox, { orderId }: Bought): boolean {
  return readLedger(sandbox, orderId).some(({ state }) => state === 'taken');
}

/** No repeated request created a second order. */
async function strayOrders(db: Database, bought: Bought[]): Promise<string[]> {
  const count = Number((await db('orders').count<{ count: string }>('* as count').first())?.count);
  return count === bought.length ? [] : [`${count} orders were stored for ${bought.length} bought`];
}

/** A paid order has one confirmation and one notice, repeated only with the same Message-ID; an unpaid one has none. */
function wrongMails(order: Bought, paid: boolean, mails: Mail[]): string[] {
  const about = mails.filter((mail) => mail.text.includes(order.orderId));
  return ['order_confirmation', 'order_notice'].flatMap((kind) => {
    const ids = new Set(about.map(({ id }) => id).filter((id) => id.startsWith(`<${kind}.`)));
    const wanted = paid ? 1 : 0;
    return ids.size === wanted ? [] : [`${ids.size} different mails ${kind} about order ${order.orderId}`];
  });
}

/** Each order has one PaymentIntent. */
async function secondIntents(sandbox: RunningSandbox): Promise<string[]> {
  const seen = new Map<string, number>();
  for await (const intent of sandbox.stripeClient.paymentIntents.list({ limit: 100 })) {
    const { orderId } = intent.metadata;
    if (!orderId) continue;
    seen.set(orderId, (seen.get(orderId) ?? 0) + 1);
  }
  return [...seen].flatMap(([orderId, count]) =>
    count === 1 ? [] : [`${count} PaymentIntents for order ${orderId}`],
  );
}

/** PayPal captured each order at most once. */
function secondCaptures({ paypal }: RunningSandbox): string[] {
  const seen = new Map<string, number>();
  for (const {
    purchase_units: [unit],
  } of paypal.context.state.orders.values()) {
    const { custom_id: orderId = '', payments } = unit;
    seen.set(orderId, (seen.get(orderId) ?? 0) + (payments?.captures?.length ?? 0));
  }
  return [...seen].flatMap(([orderId, count]) =>
    count > 1 ? [`${count} captures for order ${orderId}`] : [],
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

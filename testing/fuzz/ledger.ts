import type { Knex } from 'knex';
import { contactRequest } from '../../core/contact.ts';
import { personRequest } from '../../core/desk-people.ts';
import { errorBody } from '../../core/http.ts';
import { subscribeRequest } from '../../core/newsletter.ts';
import type { Message } from './drafts.ts';
import { type Answer, HANG_MS } from './send.ts';
import { anyCanary, type World } from './world.ts';

interface Row {
  name: string;
  requests: number;
  accepted: number;
  refused: number;
  failed: number;
  slowestMs: number;
}

/** The answers, the violations among them, and the rows that must exist because of them. */
export interface Ledger {
  rows: Map<string, Row>;
  violations: string[];
  orders: Set<string>;
  /** The sender of each message. */
  contactMessages: string[];
  subscribers: Set<string>;
  /** Whose rows staff have erased. */
  erased: Set<string>;
  events: Set<string>;
}

export function createLedger(): Ledger {
  return {
    rows: new Map(),
    violations: [],
    orders: new Set(),
    contactMessages: [],
    subscribers: new Set(),
    erased: new Set(),
    events: new Set(),
  };
}

/** Counts an answer and judges it. */
export function record(
  ledger: Ledger,
  group: string,
  sent: string,
  answer: Answer,
  accepts?: readonly number[],
): void {
  const row = ledger.rows.get(group) ?? {
    name: group,
    requests: 0,
    accepted: 0,
    refused: 0,
    failed: 0,
    slowestMs: 0,
  };
  ledger.rows.set(group, row);
  const fault = faultOf(answer, accepts);
  row.requests++;
  row.slowestMs = Math.max(row.slowestMs, answer.ms);
  if (fault) row.failed++;
  else if (answer.status < 400) row.accepted++;
  else row.refused++;
  if (fault)
    ledger.violations.push(`${group}: ${fault}\n    sent ${sent}\n    got ${answer.text.slice(0, 300)}`);
}

function faultOf(
  { status, type, text, ms, failure }: Answer,
  accepts?: readonly number[],
): string | undefined {
  if (failure) return `no answer (${failure})`;
  if (ms > HANG_MS) return `took ${Math.round(ms)} ms`;
  if (status >= 500) return `answered ${status}`;
  if (accepts && !accepts.includes(status)) return `answered a valid request with ${status}`;
  if (status < 400 || text === '') return undefined;
  if (anyCanary.test(text)) return `repeats what was sent in its ${status}`;
  if (/node_modules|\bat .+:\d+:\d+|\.[jt]s:\d+/.test(text)) return `leaks internals in its ${status}`;
  if (type.startsWith('text/html')) return undefined;
  const message = errorBody.safeParse(parsed(text)).data?.message;
  return message ? undefined : `has no message in its ${status}`;
}

/** Notes the row that a successful answer promises. */
export function expectRows(ledger: Ledger, { method, path, body }: Message, { status, text }: Answer): void {
  if (status >= 300 || method !== 'POST') return;
  const sent = parsed(body?.toString() ?? '');
  const [call] = path.split('?');
  if (call === '/api/create-payment-intent' || call === '/api/create-paypal-order') {
    ledger.orders.add(String((parsed(text) as { orderId?: unknown }).orderId));
  } else if (call === '/api/contact') {
    const { email, website } = contactRequest.parse(sent);
    if (!website) ledger.contactMessages.push(email);
  } else if (call === '/api/newsletter/subscribe') {
    const { email, website } = subscribeRequest.parse(sent);
    if (!website) ledger.subscribers.add(email);
  } else if (call === '/api/desk/person/erase') {
    ledger.erased.add(personRequest.parse(sent).email.toLowerCase());
  } else if (call?.startsWith('/api/webhooks/')) {
    ledger.events.add(`${call.slice(14)} ${String((sent as { id?: unknown }).id)}`);
  }
}

/** Compares the stored rows with the promised ones. */
export async function wrongRows(ledger: Ledger, { db }: World): Promise<string[]> {
  const count = async (rows: Knex.QueryBuilder) =>
    Number((await rows.count<{ count: string }>('* as count').first())?.count);
  const notErased = (table: string) => db(table).whereRaw('lower(email) <> all(?)', [[...ledger.erased]]);
  const remaining = (emails: Iterable<string>) =>
    [...emails].filter((email) => !ledger.erased.has(email.toLowerCase())).length;
  const events: { provider: string; event_id: string }[] = await db('payment_events').select(
    'provider',
    'event_id',
  );
  const storedEvents = new Set(events.map(({ provider, event_id }) => `${provider} ${event_id}`));
  const missing = [...ledger.events].filter((event) => !storedEvents.has(event));
  const counts: [string, number, number][] = [
    ['orders', await count(db('orders')), ledger.orders.size],
    ['contact messages', await count(notErased('contact_messages')), remaining(ledger.contactMessages)],
    ['subscribers', await count(notErased('newsletter_subscriptions')), remaining(ledger.subscribers)],
    ['webhook events', ledger.events.size - missing.length, ledger.events.size],
  ];
  for (const [what, stored, promised] of counts)
    console.info(`${stored} ${what} stored, ${promised} promised`);
  return counts
    .filter(([, stored, promised]) => stored !== promised)
    .map(([what, stored, promised]) => `${stored} ${what} are stored, ${promised} were promised`);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

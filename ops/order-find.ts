import type { Command } from 'commander';
import { formatMoney } from '../core/money.ts';
import type { Database } from '../db/database.ts';
import { type FoundOrder, MAX_MATCHES, type OrderQuery, searchOrders } from '../db/order-search.ts';
import { parseCount } from './arguments.ts';
import type { Ops } from './parts.ts';
import { table } from './table.ts';
import { CommandError } from './terminal.ts';

const ORDER_ID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** `order find`: the order that a caller asks about. */
export function addOrderFindCommand(order: Command, { terminal, use }: Ops): void {
  order
    .command('find')
    .description('lists the orders of an e-mail address, name, payment, invoice or order id, newest first')
    .argument('<text...>', 'what is known; of a name the beginnings of its words')
    .option('--limit <count>', 'max rows', parseCount, 20)
    .option('--json', 'for scripts')
    .action((words: string[], { limit, json }: { limit: number; json?: boolean }) =>
      use(async ({ db }) => {
        const text = words.join(' ').trim();
        const { orders, matches } = await find(db, text, limit);
        if (matches === 0) throw new CommandError(`No order found for ${text}`);
        terminal.print(json ? JSON.stringify(orders, null, 2) : describe(orders));
        const omission = describeOmission(orders.length, matches);
        if (omission) terminal.printError(omission);
      }),
    );
}

/** The first reading of the text that fits any order: a name may look like a payment's id. */
async function find(db: Database, text: string, limit: number) {
  for (const query of readings(text)) {
    const found = await searchOrders(db, query, limit);
    if (found.matches > 0) return found;
  }
  return { orders: [], matches: 0 };
}

/** An invoice number ends with the order's id. */
function readings(text: string): OrderQuery[] {
  const [orderId] = ORDER_ID.exec(text) ?? [];
  if (orderId) return [{ orderId }];
  if (text.includes('@')) return [{ email: text }];
  return [{ paymentId: text }, { name: text }];
}

function describe(orders: FoundOrder[]): string {
  return table(
    ['id', 'created', 'status', 'amount', 'service', 'buyer', 'e-mail', 'payment'],
    orders.map((found) => [
      found.id,
      found.createdAt,
      found.status,
      formatMoney(found.amount, found.currency),
      found.serviceName,
      found.customerName,
      found.customerEmail,
      `${found.paymentMethod} ${found.paymentIntentId ?? '(none yet)'}`,
    ]),
  );
}

function describeOmission(shown: number, matches: number): string | undefined {
  if (matches >= MAX_MATCHES)
    return `${MAX_MATCHES} orders or more match, and newer ones may be missing here: search for less common words`;
  return matches > shown ? `The newest ${shown} of ${matches} orders; --limit shows more` : undefined;
}

import { type Command, Option } from 'commander';
import { pageOf } from '../core/list-page.ts';
import { formatMoney } from '../core/money.ts';
import type { ListedOrder } from '../db/order-rows.ts';
import { attentionStatuses, searchOrders } from '../db/order-search.ts';
import { findOrders } from '../orders/find-orders.ts';
import { parseCount } from './arguments.ts';
import type { Ops } from './parts.ts';
import { table } from './table.ts';
import { CommandError } from './terminal.ts';

interface Options {
  limit: number;
  json?: boolean;
  status?: (typeof attentionStatuses)[number];
}

export function addOrderFindCommand(order: Command, { terminal, use }: Ops): void {
  order
    .command('find')
    .description('lists the orders of an e-mail address, name, payment, invoice or order id, newest first')
    .argument('[text...]', 'any known detail; names match by word prefix')
    .addOption(new Option('--status <status>', 'those that wait for a person').choices(attentionStatuses))
    .option('--limit <count>', 'max rows', parseCount, 20)
    .option('--json', 'print JSON')
    .action((words: string[], { limit, json, status }: Options) =>
      use(async ({ db }) => {
        const text = words.join(' ').trim();
        if (words.length > 0 === Boolean(status)) throw new CommandError('Pass what is known, or --status');
        const found = status
          ? await searchOrders(db, { status }, {}, undefined, limit + 1)
          : await findOrders(db, text, {}, undefined, limit + 1);
        const { rows, next } = pageOf(found, limit);
        const orders = rows.map(({ cursor: _, ...order }) => order);
        if (orders.length === 0) throw new CommandError(`No order found for ${status ?? text}`);
        terminal.print(json ? JSON.stringify(orders, null, 2) : describe(orders));
        if (next) terminal.printError(`The newest ${orders.length} orders; --limit shows more`);
      }),
    );
}

function describe(orders: Omit<ListedOrder, 'cursor'>[]): string {
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

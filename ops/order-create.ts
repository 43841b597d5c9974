import type { Command } from 'commander';
import { waitUntilApplied } from '../orders/operator.ts';
import { type Corrections, NotRecreatable, readLostOrder, recreate } from '../orders/recreate-order.ts';
import { commit, type Ops, type OpsParts } from './parts.ts';
import { CommandError, confirm } from './terminal.ts';

interface Options extends Corrections {
  reason: string;
  yes?: boolean;
  json?: boolean;
}

export function addOrderCreateCommand(order: Command, { terminal, use }: Ops): void {
  order
    .command('create-from-provider')
    .description('recreates a lost order from what its provider knows about the payment')
    .argument('<payment>', 'PaymentIntent or PayPal order id')
    .requiredOption('--reason <text>', 'stored in its history')
    .option('--service <slug>', 'if the provider does not know it')
    .option('--name <name>', 'of the buyer, if the provider does not know it')
    .option('--email <address>', 'of the buyer, if the provider does not know it')
    .option('--yes', 'skip the confirmation prompt')
    .option('--json', 'print JSON')
    .action((paymentId: string, options: Options) =>
      use(async (parts) => {
        const result = await create(parts, paymentId, options).catch((error: unknown) => {
          throw error instanceof NotRecreatable ? new CommandError(error.message) : error;
        });
        const text = result.status
          ? `Created: the order is ${result.status}`
          : 'Created; a worker settles it';
        terminal.print(options.json ? JSON.stringify(result) : text);
      }),
    );

  async function create(parts: OpsParts, paymentId: string, options: Options) {
    const found = await readLostOrder(parts, paymentId, options);
    const mails = 'Buyer and staff get its e-mails, even if they had them before.';
    await confirm(terminal, options, `This makes ${found.summary}. ${mails}`);
    const rows = await commit(parts.db, (trx) => recreate(trx, found, options.reason));
    return { orderId: found.order.id, status: await waitUntilApplied(parts, found.order.id, rows) };
  }
}

import { Argument, type Command } from 'commander';
import { isUuid } from '../core/text.ts';
import { readOrderTimeline } from '../db/order-timeline.ts';
import type { Order } from '../db/orders.ts';
import { compareWithProvider } from '../orders/compare-with-provider.ts';
import { canBeDecided, decideOrder, repairOrder, waitUntilApplied } from '../orders/operator.ts';
import { addOrderCreateCommand } from './order-create.ts';
import { addOrderFindCommand } from './order-find.ts';
import { addOrderKeepCommand } from './order-keep.ts';
import { asRefusal, describeOutcome, requireOrder } from './order-parts.ts';
import { commit, type Ops, type OpsParts } from './parts.ts';
import { describeOrder } from './print-order.ts';
import { CommandError, confirm } from './terminal.ts';

const decisions = ['paid', 'refunded', 'canceled'] as const;

interface Options {
  json?: boolean;
  yes?: boolean;
}

export function addOrderCommands(program: Command, ops: Ops): void {
  const { terminal } = ops;
  const order = program.command('order').description('one order');
  addOrderFindCommand(order, ops);
  addOrderCreateCommand(order, ops);
  addOrderKeepCommand(order, ops);

  order
    .command('show')
    .description('shows the order with its history, payment events, jobs and e-mails on one timeline')
    .argument('<id>', 'order id')
    .option('--json', 'print JSON')
    .action((id: string, { json }: Options) =>
      ops.use(async ({ db }) => {
        const found = isUuid(id) ? await readOrderTimeline(db, id) : undefined;
        if (!found) throw new CommandError(`Order ${id} not found`);
        terminal.print(json ? JSON.stringify(found, null, 2) : describeOrder(found));
      }),
    );

  order
    .command('reconcile')
    .description('asks the provider about the order now and settles it by the answer')
    .argument('<id>', 'order id')
    .option('--yes', 'skip the confirmation prompt')
    .option('--json', 'print JSON')
    .action((id: string, options: Options) =>
      ops.use(async (parts) => {
        const result = await reconcile(parts, await requireOrder(parts, id), options);
        terminal.print(options.json ? JSON.stringify({ orderId: id, ...result }) : result.text);
      }),
    );

  order
    .command('decide')
    .description('ends the review of an order')
    .argument('<id>', 'order id')
    .addArgument(new Argument('<status>', 'the outcome').choices(decisions))
    .option('--yes', 'skip the confirmation prompt')
    .action((id: string, status: (typeof decisions)[number], options: Options) =>
      ops.use(async (parts) => {
        const found = await requireOrder(parts, id);
        if (!canBeDecided(found))
          throw new CommandError(`Only orders in review can be decided; this one is ${found.status}`);
        const mail = status === 'paid' ? ' Buyer and staff get their e-mails.' : '';
        await confirm(terminal, options, `This makes the order ${status}.${mail}`);
        const rows = await commit(parts.db, (trx) => decideOrder(trx, found, status)).catch(asRefusal);
        terminal.print(`Decided: ${describeOutcome(await waitUntilApplied(parts, id, rows))}`);
      }),
    );

  async function reconcile(parts: OpsParts, found: Order, options: Options) {
    const { paymentId, difference } = await compareWithProvider(parts, found);
    const before = found.status;
    if (!paymentId) return { before, after: before, text: 'The provider has no payment for this order' };
    if (!difference) return { before, after: before, text: `Both sides agree: the order is ${before}` };
    const { what, repairs } = difference;
    if (repairs.length === 0) throw new CommandError(`Not safe to repair automatically: ${what}`);
    await confirm(terminal, options, `${what}: settle the order by the provider's answer?`);
    const rows = await commit(parts.db, (trx) => repairOrder(trx, found, repairs));
    const after = await waitUntilApplied(parts, found.id, rows);
    return { before, after: after ?? before, text: `${what}: ${describeOutcome(after)}` };
  }
}

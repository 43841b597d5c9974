import type { Command } from 'commander';
import { OrderError } from '../orders/errors.ts';
import { keepPayment, requireKeepable } from '../orders/keep-payment.ts';
import { waitUntilApplied } from '../orders/operator.ts';
import { asRefusal, describeOutcome, requireOrder } from './order-parts.ts';
import { commit, type Ops, type OpsParts } from './parts.ts';
import { confirm } from './terminal.ts';

interface Options {
  reason: string;
  yes?: boolean;
}

export function addOrderKeepCommand(order: Command, { terminal, use }: Ops): void {
  order
    .command('keep-payment')
    .description('makes a second payment the order’s own, once the first one holds no money')
    .argument('<id>', 'order id')
    .argument('<payment>', 'PaymentIntent or PayPal order id')
    .requiredOption('--reason <text>', 'stored with it')
    .option('--yes', 'skip the confirmation prompt')
    .action((id: string, paymentId: string, options: Options) =>
      use(async (parts) => {
        const outcome = await keep(parts, id, paymentId, options).catch(asRefusal);
        terminal.print(`Kept: ${outcome}`);
      }),
    );

  /** Starts over if the order changes meanwhile: an event can come at any time. */
  async function keep(
    parts: OpsParts,
    id: string,
    paymentId: string,
    options: Options,
    tries = 3,
  ): Promise<string> {
    const found = await requireOrder(parts, id);
    await requireKeepable(parts, found, paymentId);
    await confirm(terminal, options, `This makes ${paymentId} pay for the order. The buyer gets an e-mail.`);
    const { reason } = options;
    try {
      const rows = await commit(parts.db, (trx) => keepPayment(trx, found, { paymentId, reason }));
      return describeOutcome(await waitUntilApplied(parts, id, rows));
    } catch (error) {
      const hasChanged = error instanceof OrderError && error.code === 'order_changed';
      if (!hasChanged || tries === 1) throw error;
      return keep(parts, id, paymentId, { ...options, yes: true }, tries - 1);
    }
  }
}

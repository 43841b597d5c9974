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

  async function keep(parts: OpsParts, id: string, paymentId: string, options: Options) {
    await requireKeepable(parts, await requireOrder(parts, id), paymentId);
    await confirm(terminal, options, `This makes ${paymentId} pay for the order. The buyer gets an e-mail.`);
    const rows = await decide(parts, id, { paymentId, reason: options.reason });
    return describeOutcome(await waitUntilApplied(parts, id, rows));
  }
}

/** Asks the providers again if the order changed meanwhile: an event can come at any time. */
async function decide(
  parts: OpsParts,
  id: string,
  decision: { paymentId: string; reason: string },
  tries = 3,
): Promise<string[]> {
  const order = await requireOrder(parts, id);
  await requireKeepable(parts, order, decision.paymentId);
  try {
    return await commit(parts.db, (trx) => keepPayment(trx, order, decision));
  } catch (error) {
    const hasChanged = error instanceof OrderError && error.code === 'order_changed';
    if (!hasChanged || tries === 1) throw error;
    return decide(parts, id, decision, tries - 1);
  }
}

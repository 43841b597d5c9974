import type { Command } from 'commander';
import { formatMoney } from '../core/money.ts';
import { ROW_ID } from '../core/text.ts';
import { dismissTransfer, listFailedTransfers } from '../db/failed-transfers.ts';
import { parseCount } from './arguments.ts';
import type { Ops } from './parts.ts';
import { table } from './table.ts';
import { CommandError, confirm } from './terminal.ts';

export function addTransferCommands(program: Command, ops: Ops): void {
  const { terminal } = ops;
  const transfers = program.command('transfers').description('payouts and refunds that failed at the bank');

  transfers
    .command('failed')
    .description('lists failed payouts and refunds that have not been dismissed')
    .option('--limit <count>', 'max rows', parseCount, 50)
    .option('--json', 'print JSON')
    .action(({ json, limit }: { json?: boolean; limit: number }) =>
      ops.use(async ({ db }) => {
        const failed = await listFailedTransfers(db, limit);
        if (json) return terminal.print(JSON.stringify(failed, null, 2));
        if (failed.length === 0) return terminal.print('No failed transfers');
        const rows = failed.map(({ id, failedAt, kind, provider, transferId, orderId, reason, ...money }) => {
          const amount = formatMoney(money.amount, money.currency);
          return [id, failedAt, kind, provider, transferId, amount, orderId, reason];
        });
        const head = ['id', 'failed', 'kind', 'provider', 'transfer', 'amount', 'order', 'reason'];
        terminal.print(table(head, rows));
      }),
    );

  transfers
    .command('dismiss')
    .description('dismisses a failed payout or refund')
    .argument('<id>', 'id from the list')
    .requiredOption('--reason <text>', 'stored with it')
    .option('--yes', 'skip the confirmation prompt')
    .action((id: string, { reason, ...options }: { reason: string; yes?: boolean }) =>
      ops.use(async ({ db }) => {
        await confirm(terminal, options, `This dismisses the failed transfer ${id}.`);
        if (!ROW_ID.test(id) || !(await dismissTransfer(db, id, reason)))
          throw new CommandError(`Failed transfer ${id} not found, or dismissed already`);
        terminal.print('Dismissed');
      }),
    );
}

import type { Command } from 'commander';
import { csvHead, csvRow } from '../core/csv.ts';
import { readSubscribers, subscriberColumns } from '../orders/subscribers.ts';
import type { Ops } from './parts.ts';

export function addNewsletterCommands(program: Command, ops: Ops): void {
  const { terminal } = ops;
  program
    .command('newsletter')
    .description('newsletter subscribers')
    .command('export')
    .description('exports the confirmed addresses as CSV, each with its unsubscribe link')
    .option('--json', 'JSON Lines instead of CSV')
    .action(({ json }: { json?: boolean }) =>
      ops.use(async (parts) => {
        if (!json) terminal.print(csvHead(subscriberColumns));
        for await (const row of readSubscribers(parts)) {
          terminal.print(json ? JSON.stringify(row) : csvRow(subscriberColumns, row));
        }
      }),
    );
}

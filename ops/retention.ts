import type { Command } from 'commander';
import { cappedCount } from '../core/capped-count.ts';
import { countDue, retentionRules } from '../db/retention.ts';
import type { Ops } from './parts.ts';
import { table } from './table.ts';

export function addRetentionCommand(program: Command, ops: Ops): void {
  program
    .command('retention')
    .description('shows how long each kind of data is kept, and what the next daily job removes')
    .requiredOption('--report', 'required; workers do the removal')
    .option('--json', 'print JSON')
    .action(({ json }: { json?: boolean }) =>
      ops.use(async ({ config, db }) => {
        const counts = await Promise.all(
          retentionRules.map((name) => countDue(db, name, config.retention[name])),
        );
        if (json) return ops.terminal.print(JSON.stringify(counts, null, 2));
        const rows = counts.map(({ name, days, due, oldest }) => [
          name,
          days === 0 ? 'forever' : `${days} d`,
          cappedCount(due),
          oldest,
        ]);
        ops.terminal.print(table(['data', 'kept', 'due', 'oldest due'], rows));
      }),
    );
}

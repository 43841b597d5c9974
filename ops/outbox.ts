import type { Command } from 'commander';
import { jobNames } from '../core/jobs.ts';
import { readOutboxStatus } from '../db/outbox-status.ts';
import type { Ops } from './parts.ts';
import { age, table } from './table.ts';

export function addOutboxCommands(program: Command, ops: Ops): void {
  program
    .command('outbox')
    .description('open and dead jobs')
    .command('status')
    .description('shows how many jobs are open, failing or dead, and the age of the oldest')
    .option('--json', 'print JSON')
    .action(({ json }: { json?: boolean }) =>
      ops.use(async ({ db }) => {
        const found = await readOutboxStatus(db);
        const idle = {
          open: 0,
          overdue: 0,
          failing: 0,
          dead: 0,
          oldestOpenSeconds: null,
          oldestOverdueSeconds: null,
        };
        const all = jobNames.map((job) => found.find((row) => row.job === job) ?? { job, ...idle });
        if (json) return ops.terminal.print(JSON.stringify(all, null, 2));
        const rows = all.map(({ job, open, overdue, failing, dead, oldestOpenSeconds: oldest }) => {
          return [job, open, overdue, failing, dead, oldest === null ? null : age(oldest)];
        });
        ops.terminal.print(table(['job', 'open', 'overdue', 'failing', 'dead', 'oldest open'], rows));
      }),
    );
}

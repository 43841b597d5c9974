import type { Command } from 'commander';
import { listDeadJobs, reviveJobs } from '../db/dead-jobs.ts';
import { parseCount } from './arguments.ts';
import { commit, type Ops } from './parts.ts';
import { table } from './table.ts';
import { confirm, Refusal } from './terminal.ts';

const MAX_JOBS = 1_000;

/** `jobs …`: work that was given up and waits for an operator. */
export function addJobCommands(program: Command, ops: Ops): void {
  const { terminal } = ops;
  const jobs = program.command('jobs').description('work that was given up');

  jobs
    .command('failed')
    .description('the jobs that were given up, with their last error')
    .option('--limit <count>', 'how many', parseCount, 50)
    .option('--json', 'for scripts')
    .action(({ json, limit }: { json?: boolean; limit: number }) =>
      ops.use(async ({ db }) => {
        const dead = await listDeadJobs(db, limit);
        if (json) terminal.print(JSON.stringify(dead, null, 2));
        else if (dead.length === 0) terminal.print('No job was given up');
        else {
          const rows = dead.map((d) => [
            d.id,
            d.createdAt,
            d.job,
            Object.values(d.payload).join(' '),
            d.attempts,
            d.lastError,
          ]);
          terminal.print(table(['id', 'written', 'job', 'of', 'failures', 'last error'], rows));
        }
      }),
    );

  jobs
    .command('retry')
    .description('runs jobs again that were given up: those named, or --all')
    .argument('[id...]', 'job ids')
    .option('--all', 'all of them')
    .option('--yes', 'without asking')
    .action((ids: string[], options: { all?: boolean; yes?: boolean }) =>
      ops.use(async ({ db }) => {
        if (ids.length > 0 === Boolean(options.all)) throw new Refusal('Name the jobs, or say --all');
        const strange = ids.filter((id) => !/^\d{1,18}$/.test(id));
        if (strange.length > 0) throw new Refusal(`Not a job id: ${strange.join(', ')}`);
        const wanted = options.all ? (await listDeadJobs(db, MAX_JOBS)).map((job) => job.id) : ids;
        if (wanted.length === 0) throw new Refusal('No job was given up');
        await confirm(
          terminal,
          options,
          `This runs ${wanted.length} of the jobs again; mails among them go out.`,
        );
        const revived = await commit(db, (trx) => reviveJobs(trx, wanted));
        const others = wanted.filter((id) => !revived.includes(id));
        if (revived.length > 0) terminal.print(`Handed to the workers: ${revived.join(', ')}`);
        if (others.length > 0) throw new Refusal(`Not among those given up: ${others.join(', ')}`);
      }),
    );
}

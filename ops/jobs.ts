import type { Command } from 'commander';
import { counted, ROW_ID } from '../core/text.ts';
import type { Database } from '../db/database.ts';
import { discardJobs, listDeadJobIds, listDeadJobs, retryDeadJobs } from '../db/dead-jobs.ts';
import { parseCount } from './arguments.ts';
import { commit, type Ops } from './parts.ts';
import { table } from './table.ts';
import { CommandError, confirm } from './terminal.ts';

/** Jobs retried in one transaction. */
const BATCH = 1_000;

export function addJobCommands(program: Command, ops: Ops): void {
  const { terminal } = ops;
  const jobs = program.command('jobs').description('jobs that failed permanently');

  jobs
    .command('failed')
    .description('lists dead jobs with their last error')
    .option('--limit <count>', 'max rows', parseCount, 50)
    .option('--json', 'print JSON')
    .action(({ json, limit }: { json?: boolean; limit: number }) =>
      ops.use(async ({ db }) => {
        const dead = await listDeadJobs(db, limit);
        terminal.print(json ? JSON.stringify(dead, null, 2) : describe(dead));
      }),
    );

  jobs
    .command('retry')
    .description('runs failed jobs again: the given ones, or --all')
    .argument('[id...]', 'job ids')
    .option('--all', 'all failed jobs')
    .option('--yes', 'skip the confirmation prompt')
    .action((ids: string[], options: { all?: boolean; yes?: boolean }) =>
      ops.use(async ({ db }) => {
        if (ids.length > 0 === Boolean(options.all)) throw new CommandError('Pass job ids or --all');
        requireJobIds(ids);
        const wanted = options.all ? await listDeadJobIds(db) : ids;
        if (wanted.length === 0) return terminal.print('No failed jobs');
        await confirm(
          terminal,
          options,
          `This runs ${counted(wanted.length, 'failed job')} again, which may send e-mails.`,
        );
        report('Queued', wanted, await retryInBatches(db, wanted));
      }),
    );

  jobs
    .command('discard')
    .description('discards failed jobs for good, with the events or e-mails they are about')
    .argument('<id...>', 'job ids')
    .requiredOption('--reason <text>', 'stored with each')
    .option('--yes', 'skip the confirmation prompt')
    .action((ids: string[], options: { reason: string; yes?: boolean }) =>
      ops.use(async ({ db }) => {
        requireJobIds(ids);
        await confirm(terminal, options, `This discards ${counted(ids.length, 'failed job')} for good.`);
        const discarded = await commit(db, (trx) => discardJobs(trx, ids, options.reason));
        report('Discarded', ids, discarded);
      }),
    );

  function report(done: string, wanted: string[], changed: string[]): void {
    const others = wanted.filter((id) => !changed.includes(id));
    if (changed.length > 0) terminal.print(`${done}: ${changed.join(', ')}`);
    if (others.length > 0) throw new CommandError(`Not a failed job: ${others.join(', ')}`);
  }
}

function describe(dead: Awaited<ReturnType<typeof listDeadJobs>>): string {
  if (dead.length === 0) return 'No failed jobs';
  return table(
    ['id', 'created', 'job', 'subject', 'failures', 'last error'],
    dead.map(({ id, createdAt, job, payload, attempts, lastError }) => {
      const subject = Object.values(payload).filter((value) => typeof value === 'string');
      return [id, createdAt, job, subject.join(' '), attempts, lastError];
    }),
  );
}

/** Returns the ids of the jobs that were dead. */
async function retryInBatches(db: Database, ids: string[]): Promise<string[]> {
  const retried: string[] = [];
  for (let from = 0; from < ids.length; from += BATCH) {
    const batch = ids.slice(from, from + BATCH);
    retried.push(...(await commit(db, (trx) => retryDeadJobs(trx, batch))));
  }
  return retried;
}

function requireJobIds(ids: string[]): void {
  const strange = ids.filter((id) => !ROW_ID.test(id));
  if (strange.length > 0) throw new CommandError(`Not a job id: ${strange.join(', ')}`);
}

import type { Command } from 'commander';
import { findOrder } from '../db/orders.ts';
import { type Finding, findDifferences } from '../orders/find-differences.ts';
import { repairOrder, waitUntilApplied } from '../orders/operator.ts';
import { parseMoment } from './arguments.ts';
import { commit, type Ops, type OpsParts } from './parts.ts';
import { table } from './table.ts';
import { CommandError, confirm } from './terminal.ts';

interface Options {
  report?: boolean;
  fix?: boolean;
  since?: Date;
  yes?: boolean;
  json?: boolean;
}

type Outcome = Finding & { repaired: boolean };

/** `reconcile`: compares all orders with their providers. */
export function addReconcileCommand(program: Command, ops: Ops): void {
  const { terminal } = ops;
  program
    .command('reconcile')
    .description(
      'compares all orders with the providers: --report lists every difference, --fix repairs the safe ones',
    )
    .option('--report', 'list only')
    .option('--fix', "settle orders by the provider's answer, where that resolves the difference")
    .option('--since <time>', 'only orders created since then; default: all', (text) => parseMoment(text))
    .option('--yes', 'without asking')
    .option('--json', 'for scripts')
    .action((options: Options) =>
      ops.use(async (parts) => {
        if (Boolean(options.report) === Boolean(options.fix))
          throw new CommandError('Pass --report or --fix');
        const found: Finding[] = [];
        for await (const finding of findDifferences(parts, options.since ?? new Date(0))) found.push(finding);
        const outcomes = await repair(parts, found, options);
        terminal.print(options.json ? JSON.stringify(outcomes.map(forScripts), null, 2) : describe(outcomes));
        if (outcomes.some((outcome) => !outcome.repaired)) process.exitCode = 2;
      }),
    );

  async function repair(parts: OpsParts, found: Finding[], options: Options): Promise<Outcome[]> {
    const safe = found.filter(({ repairs }) => repairs.length > 0).length;
    if (!options.fix || safe === 0) return found.map((finding) => ({ ...finding, repaired: false }));
    if (!options.json) terminal.print(`${describe(found.map((f) => ({ ...f, repaired: false })))}\n`);
    await confirm(
      terminal,
      options,
      `${safe} of ${found.length} differences can be repaired safely: settle these orders?`,
    );
    const outcomes: Outcome[] = [];
    for (const finding of found) {
      outcomes.push({ ...finding, repaired: await repairOne(parts, finding) });
    }
    return outcomes;
  }
}

async function repairOne(parts: OpsParts, { orderId, repairs }: Finding): Promise<boolean> {
  const order = orderId && repairs.length > 0 ? await findOrder(parts.db, orderId) : undefined;
  if (!order) return false;
  const rows = await commit(parts.db, (trx) => repairOrder(trx, order, repairs));
  return (await waitUntilApplied(parts, order.id, rows)) !== undefined;
}

function describe(outcomes: Outcome[]): string {
  if (outcomes.length === 0) return 'Both sides agree on every order';
  return table(
    ['order', 'payment', 'difference', ''],
    outcomes.map(({ orderId, paymentId, what, repairs, repaired }) => {
      const state = repaired ? 'repaired' : repairs.length > 0 ? 'safe to repair' : 'needs a decision';
      return [orderId, paymentId, what, state];
    }),
  );
}

function forScripts({ repairs, ...outcome }: Outcome) {
  return { ...outcome, safe: repairs.length > 0 };
}

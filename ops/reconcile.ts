import type { Command } from 'commander';
import { applyMend } from '../orders/compare-with-provider.ts';
import { type Finding, findDifferences } from '../orders/find-differences.ts';
import { parseMoment } from './arguments.ts';
import type { Ops, OpsParts } from './parts.ts';
import { table } from './table.ts';
import { confirm, Refusal } from './terminal.ts';

interface Options {
  report?: boolean;
  fix?: boolean;
  since?: Date;
  yes?: boolean;
  json?: boolean;
}

type Outcome = Finding & { mended: boolean };

/** `reconcile`: all orders against all providers. */
export function addReconcileCommand(program: Command, ops: Ops): void {
  const { terminal } = ops;
  program
    .command('reconcile')
    .description(
      'compares all orders with the providers: --report lists every difference, --fix mends the safe ones',
    )
    .option('--report', 'list only')
    .option('--fix', 'settle orders by what the provider says, where that ends the difference')
    .option('--since <time>', 'only orders made since then; default all', (text) => parseMoment(text))
    .option('--yes', 'without asking')
    .option('--json', 'for scripts')
    .action((options: Options) =>
      ops.use(async (parts) => {
        if (Boolean(options.report) === Boolean(options.fix)) throw new Refusal('Say --report or --fix');
        const found: Finding[] = [];
        for await (const finding of findDifferences(parts, options.since ?? new Date(0))) found.push(finding);
        const outcomes = await mend(parts, found, options);
        terminal.print(options.json ? JSON.stringify(outcomes.map(forScripts), null, 2) : describe(outcomes));
        if (outcomes.some((outcome) => !outcome.mended)) process.exitCode = 2;
      }),
    );

  async function mend(parts: OpsParts, found: Finding[], options: Options): Promise<Outcome[]> {
    const safe = found.filter(({ mend }) => mend).length;
    if (!options.fix || safe === 0) return found.map((finding) => ({ ...finding, mended: false }));
    if (!options.json) terminal.print(`${describe(found.map((f) => ({ ...f, mended: false })))}\n`);
    await confirm(
      terminal,
      options,
      `${safe} of ${found.length} differences are safe to mend: settle these orders?`,
    );
    const outcomes: Outcome[] = [];
    for (const finding of found) {
      const { orderId, mend, paymentIntentId } = finding;
      if (orderId && mend) await applyMend(parts, orderId, mend, paymentIntentId ?? undefined);
      outcomes.push({ ...finding, mended: mend !== undefined });
    }
    return outcomes;
  }
}

function describe(outcomes: Outcome[]): string {
  if (outcomes.length === 0) return 'Both sides agree on every order';
  return table(
    ['order', 'payment', 'difference', ''],
    outcomes.map(({ orderId, paymentIntentId, what, mend, mended }) => {
      const state = mended ? 'mended' : mend ? 'safe to mend' : 'for people to judge';
      return [orderId, paymentIntentId, what, state];
    }),
  );
}

function forScripts({ mend, ...outcome }: Outcome) {
  return { ...outcome, safe: mend !== undefined };
}

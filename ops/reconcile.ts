import type { Command } from 'commander';
import { findOrder } from '../db/orders.ts';
import { type Finding, findDifferences } from '../orders/find-differences.ts';
import { repairOrder, waitUntilApplied } from '../orders/operator.ts';
import { parseMoment } from './arguments.ts';
import { commit, type Ops, type OpsParts } from './parts.ts';
import { show } from './table.ts';
import { CommandError, confirm, type Terminal } from './terminal.ts';

interface Options {
  report?: boolean;
  fix?: boolean;
  since?: Date;
  yes?: boolean;
  json?: boolean;
}

type Outcome = Finding & { repaired: boolean };

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
    .option('--yes', 'skip the confirmation prompt')
    .option('--json', 'print JSON')
    .action((options: Options) =>
      ops.use(async (parts) => {
        if (Boolean(options.report) === Boolean(options.fix))
          throw new CommandError('Pass --report or --fix');
        if (options.fix) {
          await confirm(
            terminal,
            options,
            'This settles every order whose difference can be repaired safely.',
          );
        }
        const listing = options.json ? asJson(terminal) : asLines(terminal);
        for await (const finding of findDifferences(parts, options.since ?? new Date(0))) {
          const repaired = options.fix === true && (await repairOne(parts, finding));
          listing.add({ ...finding, repaired });
          if (!repaired) process.exitCode = 2;
        }
        listing.end();
      }),
    );
}

async function repairOne(parts: OpsParts, { orderId, repairs }: Finding): Promise<boolean> {
  const order = orderId && repairs.length > 0 ? await findOrder(parts.db, orderId) : undefined;
  if (!order) return false;
  const rows = await commit(parts.db, (trx) => repairOrder(trx, order, repairs));
  return (await waitUntilApplied(parts, order.id, rows)) !== undefined;
}

/** Findings are shown as they come: there may be as many as orders. */
interface Listing {
  add(outcome: Outcome): void;
  end(): void;
}

function asLines(terminal: Terminal): Listing {
  let count = 0;
  return {
    add({ orderId, paymentId, what, repairs, repaired }) {
      count += 1;
      const state = repaired ? 'repaired' : repairs.length > 0 ? 'safe to repair' : 'needs a decision';
      terminal.print([orderId, paymentId, state, what].map(show).join('  '));
    },
    end() {
      if (count === 0) terminal.print('Both sides agree on every order');
    },
  };
}

/** One array, one finding per line. */
function asJson(terminal: Terminal): Listing {
  let separator = '[';
  return {
    add({ repairs, ...outcome }) {
      terminal.print(separator + JSON.stringify({ ...outcome, safe: repairs.length > 0 }));
      separator = ',';
    },
    end() {
      terminal.print(separator === '[' ? '[]' : ']');
    },
  };
}

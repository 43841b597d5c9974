import { type Command, Option } from 'commander';
import { paymentMethods } from '../core/orders.ts';
import { counted } from '../core/text.ts';
import { type EventSummary, findEventByName, listEvents } from '../db/payment-events.ts';
import { replayEvent } from '../orders/operator.ts';
import { parseCount } from './arguments.ts';
import { addBackfillCommand } from './backfill.ts';
import { commit, type Ops } from './parts.ts';
import { table } from './table.ts';
import { CommandError, confirm } from './terminal.ts';

const statuses: EventSummary['status'][] = ['received', 'processed', 'ignored', 'dead'];

export function addEventCommands(program: Command, ops: Ops): void {
  const { terminal } = ops;
  const events = program.command('events').description('the inbox of payment events');

  events
    .command('list')
    .description('lists the latest events')
    .addOption(new Option('--status <status>', 'only with this status').choices(statuses))
    .addOption(new Option('--provider <provider>', 'only of this provider').choices(paymentMethods))
    .option('--order <id>', 'only of this order')
    .option('--limit <count>', 'max rows', parseCount, 20)
    .option('--json', 'print JSON')
    .action(({ json, order: orderId, ...filter }: Record<string, string> & { limit: number }) =>
      ops.use(async ({ db }) => {
        const found = await listEvents(db, { ...filter, orderId });
        terminal.print(json ? JSON.stringify(found, null, 2) : describe(found));
      }),
    );

  events
    .command('show')
    .description('shows one event with its payload, by our id or the provider’s')
    .argument('<id>', 'event id')
    .option('--json', 'print JSON')
    .action((id: string, { json }: { json?: boolean }) =>
      ops.use(async ({ db }) => {
        const found = await findEventByName(db, id);
        if (!found) throw new CommandError(`Event ${id} not found`);
        const { payload, ...event } = found;
        if (!json) terminal.print(`${describe([event])}\n`);
        terminal.print(JSON.stringify(json ? found : payload, null, 2));
      }),
    );

  events
    .command('replay')
    .description('applies events again; known facts have no second effect')
    .argument('<id...>', 'event ids, ours or the provider’s')
    .option('--yes', 'skip the confirmation prompt')
    .action((ids: string[], options: { yes?: boolean }) =>
      ops.use(async ({ db }) => {
        const found = await Promise.all(ids.map((id) => findEventByName(db, id)));
        const missing = ids.filter((_, index) => !found[index]);
        if (missing.length > 0) throw new CommandError(`Event ${missing.join(', ')} not found`);
        await confirm(terminal, options, `${counted(ids.length, 'event')} will be applied again.`);
        await commit(db, async (trx) => {
          for (const { id } of found.filter((event) => event !== undefined)) {
            if (!(await replayEvent(trx, id))) {
              throw new CommandError(`The payload of event ${id} was removed: use order reconcile`);
            }
          }
        });
        terminal.print(`${counted(ids.length, 'event')} queued`);
      }),
    );

  addBackfillCommand(events, ops);
}

function describe(events: EventSummary[]): string {
  if (events.length === 0) return 'No events found';
  return table(
    ['id', 'received', 'provider', 'event', 'type', 'status', 'order', 'note'],
    events.map((e) => [e.id, e.receivedAt, e.provider, e.eventId, e.type, e.status, e.orderId, e.note]),
  );
}

import { randomUUID } from 'node:crypto';
import { type Command, Option } from 'commander';
import { type PaymentMethod, paymentMethods } from '../core/orders.ts';
import { counted } from '../core/text.ts';
import { makeDue } from '../db/dead-jobs.ts';
import { fetchEvents } from '../orders/backfill-events.ts';
import { parseMoment } from './arguments.ts';
import type { Ops } from './parts.ts';
import { CommandError, confirm } from './terminal.ts';

interface Options {
  since: Date;
  provider?: PaymentMethod;
  yes?: boolean;
  json?: boolean;
}

export function addBackfillCommand(events: Command, ops: Ops): void {
  const { terminal } = ops;
  events
    .command('backfill')
    .description('fetches events that were never delivered; known ones are left alone')
    .requiredOption('--since <time>', 'such as 2026-11-20T08:00Z, 36h or 7d', (text) => parseMoment(text))
    .addOption(new Option('--provider <provider>', 'only of this provider').choices(paymentMethods))
    .option('--yes', 'without asking')
    .option('--json', 'for scripts')
    .action((options: Options) =>
      ops.use(async (parts) => {
        const wanted = options.provider ? [options.provider] : paymentMethods;
        const able = wanted.filter((provider) => parts.gateways[provider]?.eventsSince);
        for (const provider of wanted.filter((name) => !able.includes(name))) {
          terminal.printError(
            `${provider} keeps no list of events; use ops reconcile to ask about its payments`,
          );
        }
        if (able.length === 0) throw new CommandError('Nothing to fetch');
        const since = options.since.toISOString();
        await confirm(
          terminal,
          options,
          `This fetches the events of ${able.join(' and ')} since ${since} and applies the new ones.`,
        );
        const counts = [];
        for (const provider of able) {
          const requestId = `ops-${randomUUID()}`;
          counts.push(
            await fetchEvents(parts, provider, options.since, requestId, ({ id }) => makeDue(parts.db, [id])),
          );
        }
        if (options.json) terminal.print(JSON.stringify(counts, null, 2));
        for (const { provider, seen, added } of options.json ? [] : counts) {
          terminal.print(`${provider}: ${counted(seen, 'event')}, ${added} of them new and queued`);
        }
        const stopped = counts.flatMap(({ provider, stopped }) =>
          stopped ? [{ provider, ...stopped }] : [],
        );
        for (const { provider, at, reason } of stopped) {
          terminal.printError(
            `${provider} not finished (${reason}); go on with --since ${at.toISOString()} --provider ${provider}`,
          );
        }
        if (stopped.length > 0) throw new CommandError('Not everything was fetched');
      }),
    );
}

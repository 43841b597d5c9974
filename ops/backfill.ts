import { randomUUID } from 'node:crypto';
import { type Command, Option } from 'commander';
import { type PaymentMethod, paymentMethods } from '../core/orders.ts';
import { counted } from '../core/text.ts';
import { makeDue } from '../db/dead-jobs.ts';
import type { QueueEntry } from '../db/unit-of-work.ts';
import { type FetchedEvents, fetchEvents } from '../orders/backfill-events.ts';
import { parseMoment } from './arguments.ts';
import type { Ops, OpsParts } from './parts.ts';
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
    .option('--yes', 'skip the confirmation prompt')
    .option('--json', 'print JSON')
    .action((options: Options) =>
      ops.use(async (parts) => {
        const providers = listingProviders(parts, options);
        await confirm(
          terminal,
          options,
          `This fetches the events of ${providers.join(' and ')} since ${options.since.toISOString()} and applies the new ones.`,
        );
        const fetched: FetchedEvents[] = [];
        for (const provider of providers) {
          const fetch = {
            provider,
            since: options.since,
            requestId: `ops-${randomUUID()}`,
            onEntry: ({ ids }: QueueEntry) => makeDue(parts.db, ids),
          };
          fetched.push(await fetchEvents(parts, fetch));
        }
        report(fetched, options);
      }),
    );

  function listingProviders(parts: OpsParts, { provider }: Options): PaymentMethod[] {
    const wanted = provider ? [provider] : paymentMethods;
    const able = wanted.filter((name) => parts.gateways[name].eventsSince);
    for (const name of wanted.filter((other) => !able.includes(other))) {
      terminal.printError(`${name} does not list its events; use ops reconcile to ask about its payments`);
    }
    if (able.length === 0) throw new CommandError('Nothing to fetch');
    return able;
  }

  function report(fetched: FetchedEvents[], { json }: Options): void {
    if (json) terminal.print(JSON.stringify(fetched, null, 2));
    for (const { provider, seen, added } of json ? [] : fetched) {
      terminal.print(`${provider}: ${counted(seen, 'event')}, ${added} of them new and queued`);
    }
    const unfinished = fetched.flatMap(({ provider, stopped }) =>
      stopped ? [{ provider, ...stopped }] : [],
    );
    for (const { provider, at, reason } of unfinished) {
      terminal.printError(
        `${provider} not finished (${reason}); continue with --since ${at.toISOString()} --provider ${provider}`,
      );
    }
    if (unfinished.length > 0) throw new CommandError('Not everything was fetched');
  }
}

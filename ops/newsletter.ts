import type { Command } from 'commander';
import { csvLine } from '../core/csv.ts';
import { newsletterUnsubscribeFor } from '../core/paths.ts';
import { listSubscribers, type Subscriber } from '../db/newsletter.ts';
import type { Ops, OpsParts } from './parts.ts';

const PAGE = 1_000;

/** `newsletter …`: the confirmed subscribers. */
export function addNewsletterCommands(program: Command, ops: Ops): void {
  const { terminal } = ops;
  program
    .command('newsletter')
    .description('newsletter subscribers')
    .command('export')
    .description('exports the confirmed addresses as CSV, each with its unsubscribe link')
    .option('--json', 'JSON Lines instead of CSV')
    .action(({ json }: { json?: boolean }) =>
      ops.use(async (parts) => {
        if (!json) terminal.print(csvLine(['email', 'subscribed_at', 'confirmed_at', 'unsubscribe_url']));
        let last: string | null = null;
        for (;;) {
          const page = await listSubscribers(parts.db, last, PAGE);
          for (const subscriber of page) {
            const row = toRow(parts, subscriber);
            terminal.print(json ? JSON.stringify(row) : csvLine(Object.values(row)));
          }
          last = page.at(-1)?.id ?? null;
          if (last === null) return;
        }
      }),
    );
}

/** The unsubscribe link does not expire: every issue must carry it. */
function toRow({ config, tokens }: OpsParts, { id, email, subscribedAt, confirmedAt }: Subscriber) {
  const token = tokens.sign('newsletter-unsubscribe', id, null);
  return {
    email,
    subscribedAt: subscribedAt.toISOString(),
    confirmedAt: confirmedAt.toISOString(),
    unsubscribeUrl: `${config.publicUrl}${newsletterUnsubscribeFor(token)}`,
  };
}

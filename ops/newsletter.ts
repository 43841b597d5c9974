import type { Command } from 'commander';
import { newsletterUnsubscribeFor } from '../core/paths.ts';
import { listSubscribers, type Subscriber } from '../db/newsletter.ts';
import { csvLine } from './csv.ts';
import type { Ops, OpsParts } from './parts.ts';

const PAGE = 1_000;

/** `newsletter …`: who wants the newsletter. */
export function addNewsletterCommands(program: Command, ops: Ops): void {
  const { terminal } = ops;
  program
    .command('newsletter')
    .description('who wants the newsletter')
    .command('export')
    .description('the confirmed addresses as CSV, each with its own link for unsubscribing')
    .option('--json', 'as JSON, one line each')
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

/** Every newsletter mail must carry its reader's link; it does not expire. */
function toRow({ config, tokens }: OpsParts, { id, email, subscribedAt, confirmedAt }: Subscriber) {
  const token = tokens.sign('newsletter-unsubscribe', id, null);
  return {
    email,
    subscribedAt: subscribedAt.toISOString(),
    confirmedAt: confirmedAt.toISOString(),
    unsubscribeUrl: `${config.publicUrl}${newsletterUnsubscribeFor(token)}`,
  };
}

import type { CsvColumns } from '../core/csv.ts';
import { newsletterUnsubscribeFor } from '../core/paths.ts';
import type { Database } from '../db/database.ts';
import { listSubscribers } from '../db/newsletter.ts';
import type { Config } from '../infra/config.ts';
import type { Tokens } from '../infra/tokens.ts';

const PAGE = 1_000;

export interface SubscriberParts {
  config: Pick<Config, 'publicUrl'>;
  db: Database;
  tokens: Tokens;
}

interface Subscriber {
  email: string;
  subscribedAt: string;
  confirmedAt: string;
  unsubscribeUrl: string;
}

export const subscriberColumns: CsvColumns<Subscriber> = [
  ['email', ({ email }) => email],
  ['subscribed_at', ({ subscribedAt }) => subscribedAt],
  ['confirmed_at', ({ confirmedAt }) => confirmedAt],
  ['unsubscribe_url', ({ unsubscribeUrl }) => unsubscribeUrl],
];

/** The confirmed addresses, each with its unsubscribe link. Every issue must carry the link, which never expires. */
export async function* readSubscribers({ config, db, tokens }: SubscriberParts): AsyncGenerator<Subscriber> {
  for (let last: string | null = null; ; ) {
    const page = await listSubscribers(db, last, PAGE);
    for (const { id, email, subscribedAt, confirmedAt } of page) {
      const token = tokens.sign('newsletter-unsubscribe', id, null);
      yield {
        email,
        subscribedAt: subscribedAt.toISOString(),
        confirmedAt: confirmedAt.toISOString(),
        unsubscribeUrl: `${config.publicUrl}${newsletterUnsubscribeFor(token)}`,
      };
    }
    last = page.at(-1)?.id ?? null;
    if (last === null) return;
  }
}

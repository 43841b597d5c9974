import { confirmationPauseSeconds } from '../core/newsletter.ts';
import type { Database, Transaction } from './database.ts';
import { queueEmails } from './emails.ts';

export interface Subscription {
  id: string;
  email: string;
  status: 'pending' | 'confirmed' | 'unsubscribed';
  confirmationsSent: number;
}

const columns = {
  id: 'id',
  email: 'email',
  status: 'status',
  confirmationsSent: 'confirmations_sent',
} as const;

/** Stores the request and queues a confirmation e-mail, at the rate that core/newsletter.ts allows. */
export async function requestSubscription(
  trx: Transaction,
  email: string,
): Promise<'requested' | 'already subscribed'> {
  const subscription = await ensureSubscription(trx, email);
  if (subscription.status === 'confirmed') return 'already subscribed';
  const { status, confirmationsSent, secondsSinceMail } = subscription;
  const pause = confirmationPauseSeconds(confirmationsSent);
  if (status === 'pending' && secondsSinceMail !== null && secondsSinceMail < pause) return 'requested';

  // Never reset: it is part of the dedupe key.
  const number = confirmationsSent + 1;
  await trx('newsletter_subscriptions').where({ id: subscription.id }).update({
    status: 'pending',
    confirmations_sent: number,
    confirmation_sent_at: trx.fn.now(),
    unsubscribed_at: null,
  });
  const params = { subscriptionId: subscription.id };
  const dedupeKey = `${subscription.id}:${number}`;
  await queueEmails(trx, [{ kind: 'newsletter_confirmation', dedupeKey, params }]);
  return 'requested';
}

type Requested = Subscription & { secondsSinceMail: number | null };

/** The locked subscription of this address, however it is spelled; created if there is none. */
async function ensureSubscription(trx: Transaction, email: string): Promise<Requested> {
  // Only the exact spelling is unique, so two spellings at once have to wait for each other.
  await trx.raw(`select pg_advisory_xact_lock(hashtext('newsletter'), hashtext(lower(?)))`, [email]);
  const find = () =>
    trx('newsletter_subscriptions')
      .select(columns)
      .select({ secondsSinceMail: trx.raw('extract(epoch from now() - confirmation_sent_at)::float8') })
      .whereRaw('lower(email) = lower(?)', [email])
      // Earlier releases stored a row for each spelling.
      .orderByRaw(`array_position(array['confirmed', 'pending', 'unsubscribed'], status)`)
      .forUpdate()
      .first<Requested | undefined>();
  const known = await find();
  if (known) return known;
  await trx('newsletter_subscriptions').insert({ email }).onConflict('email').ignore();
  return (await find()) as Requested;
}

/** Confirms the subscription and queues the welcome e-mail, once. False if there is no open subscription. */
export async function confirmSubscription(trx: Transaction, id: string): Promise<boolean> {
  const subscription = await trx('newsletter_subscriptions')
    .select(columns)
    .where({ id })
    .forUpdate()
    .first<Subscription | undefined>();
  if (!subscription || subscription.status === 'unsubscribed') return false;
  if (subscription.status === 'confirmed') return true;
  await trx('newsletter_subscriptions')
    .where({ id })
    .update({ status: 'confirmed', confirmed_at: trx.fn.now() });
  const dedupeKey = `${id}:${subscription.confirmationsSent}`;
  await queueEmails(trx, [{ kind: 'newsletter_welcome', dedupeKey, params: { subscriptionId: id } }]);
  return true;
}

/** Ends the subscription. False if there is none. */
export async function unsubscribe(db: Database, id: string): Promise<boolean> {
  const changed = await db('newsletter_subscriptions')
    .where({ id })
    .update({
      status: 'unsubscribed',
      unsubscribed_at: db.raw('coalesce(unsubscribed_at, now())'),
    });
  return changed === 1;
}

export async function findSubscription(db: Database, id: string): Promise<Subscription | undefined> {
  return db('newsletter_subscriptions').select(columns).where({ id }).first();
}

interface Subscriber {
  id: string;
  email: string;
  subscribedAt: Date;
  confirmedAt: Date;
}

export async function listSubscribers(
  db: Database,
  after: string | null,
  limit: number,
): Promise<Subscriber[]> {
  return db('newsletter_subscriptions')
    .select('id', 'email', { subscribedAt: 'subscribed_at', confirmedAt: 'confirmed_at' })
    .where({ status: 'confirmed' })
    .where((query) => (after === null ? query : query.where('id', '>', after)))
    .orderBy('id')
    .limit(limit);
}

import { MAX_COUNTED } from '../core/capped-count.ts';
import type { NewsletterFigures } from '../core/desk-people.ts';
import type { Database, Transaction } from './database.ts';

interface Listed {
  cursor: string;
}

interface ListedMessage extends Listed {
  id: string;
  name: string;
  email: string;
  message: string;
  createdAt: Date;
  answeredAt: Date | null;
}

/** Messages after a cursor: unanswered ones oldest first, or all newest first. */
export async function listMessages(
  db: Database,
  { open, after, limit }: { open: boolean; after: string | undefined; limit: number },
): Promise<ListedMessage[]> {
  const messages = db('contact_messages')
    .select('id', 'name', 'email', 'message', { createdAt: 'created_at', answeredAt: 'answered_at' })
    .select({
      cursor: db.raw(`to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') || '_' || id`),
    })
    .limit(limit);
  if (open) messages.whereNull('answered_at').orderByRaw('created_at, id');
  else messages.orderByRaw('created_at desc, id desc');
  const place = after?.split('_') ?? [];
  if (after && open) messages.whereRaw('(created_at, id) > (?::timestamptz, ?::uuid)', place);
  if (after && !open) messages.whereRaw('(created_at, id) < (?::timestamptz, ?::uuid)', place);
  return messages;
}

/** Marks messages received before this time as answered. Returns their number. */
export async function markMessagesAnswered(db: Database, before: Date): Promise<number> {
  return db('contact_messages')
    .whereNull('answered_at')
    .where('created_at', '<', before)
    .update({ answered_at: db.fn.now() });
}

/** False if there is no such message, or it was answered before. */
export async function markMessageAnswered(trx: Transaction, id: string): Promise<boolean> {
  const changed = await trx('contact_messages')
    .where({ id })
    .whereNull('answered_at')
    .update({ answered_at: trx.fn.now() });
  return changed === 1;
}

export interface UnansweredMessages {
  /** Up to {@link MAX_COUNTED}. */
  messages: number;
  /** When the oldest was received, ms since the epoch. */
  messagesSince: number | null;
}

export async function readUnansweredMessages(db: Database): Promise<UnansweredMessages> {
  const { rows } = await db.raw<{ rows: [UnansweredMessages] }>(
    `select count(*)::int as messages, extract(epoch from min(created_at))::float8 * 1000 as "messagesSince"
     from (select created_at from contact_messages where answered_at is null order by created_at, id limit ?) as oldest`,
    [MAX_COUNTED],
  );
  return rows[0];
}

interface ListedEnrollment extends Listed {
  id: string;
  name: string | null;
  email: string | null;
  companyName: string | null;
  role: string | null;
  phone: string | null;
  teamSize: string | null;
  primaryUseCase: string | null;
  complianceNeeds: string | null;
  completedAt: Date;
}

/** Completed enrollments after a place in the list, newest first. */
export async function listEnrollments(
  db: Database,
  after: string | undefined,
  limit: number,
): Promise<ListedEnrollment[]> {
  const users = db('users')
    .select('id', 'email', 'role', 'phone', {
      name: db.raw(`nullif(concat_ws(' ', first_name, last_name), '')`),
      companyName: 'company_name',
      teamSize: 'team_size',
      primaryUseCase: 'primary_use_case',
      complianceNeeds: 'compliance_needs',
      completedAt: 'enrollment_completed_at',
      cursor: db.raw(
        `to_char(enrollment_completed_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') || '_' || id`,
      ),
    })
    .where({ enrollment_status: 'completed' })
    .orderByRaw('enrollment_completed_at desc, id desc')
    .limit(limit);
  if (after) users.whereRaw('(enrollment_completed_at, id) < (?::timestamptz, ?::uuid)', after.split('_'));
  return users;
}

/** Each up to {@link MAX_COUNTED}. */
export async function readNewsletterFigures(db: Database): Promise<NewsletterFigures> {
  const { rows } = await db.raw<{ rows: [NewsletterFigures] }>(
    `select
       (select count(*)::int from (
         select from newsletter_subscriptions where status = 'confirmed' limit :max) as counted) as confirmed,
       (select count(*)::int from (
         select from newsletter_subscriptions where status = 'pending' limit :max) as counted) as pending,
       (select count(*)::int from (
         select from newsletter_subscriptions where status = 'unsubscribed' limit :max) as counted) as unsubscribed`,
    { max: MAX_COUNTED },
  );
  return rows[0];
}

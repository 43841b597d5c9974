import type { EmailKind, EmailRequest } from '../core/emails.ts';
import { recordset, runBatch, runPrepared } from './batch-sql.ts';
import { inBatches, perOwner } from './batches.ts';
import type { Database, Transaction } from './database.ts';
import { runAgain } from './dead-jobs.ts';
import { IS_OPEN, SUBJECT } from './outbox.ts';
import { type Origin, originOf, relayAfterCommit } from './unit-of-work.ts';

export interface Email {
  id: string;
  kind: EmailKind;
  params: unknown;
  orderId: string | null;
  messageId: string;
  createdAt: Date;
}

/** Of what {@link toEmailRow} returns. */
export const EMAIL_COLUMNS =
  'kind text, dedupe_key text, params jsonb, order_id uuid, delay_ms float8, request_id text, traceparent text';

/** CTEs that queue the e-mails of the CTE `requested` which are new. */
export const QUEUE_EMAILS = `
  wanted as (select distinct on (kind, dedupe_key) * from requested),
  added as (
    insert into emails (kind, dedupe_key, params, order_id) select kind, dedupe_key, params, order_id from wanted
    on conflict (kind, dedupe_key) do nothing returning id, kind, dedupe_key),
  queued as (
    insert into outbox (job, queue, payload, request_id, traceparent, pushes, due_at)
    select 'send-email', 'emails', jsonb_build_object('emailId', added.id::text), request_id, traceparent, 0,
      now() + coalesce(delay_ms, 0) * interval '1 millisecond'
    from added join wanted on wanted.kind = added.kind and wanted.dedupe_key = added.dedupe_key)`;

export function toEmailRow({ dedupeKey, orderId, delayMs, requestId, ...same }: EmailRequest & Origin) {
  return { ...same, dedupe_key: dedupeKey, order_id: orderId, delay_ms: delayMs, request_id: requestId };
}

/** Queues e-mails in one statement. A second request with the same kind and dedupe key does nothing. */
export async function queueEmails(trx: Transaction, emails: EmailRequest[]): Promise<void> {
  if (emails.length === 0) return;
  const { requestId, traceparent } = originOf(trx);
  const items = emails.map((email) => toEmailRow({ ...email, requestId, traceparent }));
  const requested = recordset(EMAIL_COLUMNS, items);
  await runBatch(trx, items, `with requested as (${requested}), ${QUEUE_EMAILS} select`);
  if (emails.some(isDue)) relayAfterCommit(trx, 'emails');
}

export function isDue({ delayMs }: EmailRequest): boolean {
  return delayMs === undefined;
}

/** Whether an e-mail of the same kind about the same order was queued after this one. */
export async function hasLaterEmail(
  db: Database,
  { id, kind, orderId }: Pick<Email, 'id' | 'kind' | 'orderId'>,
): Promise<boolean> {
  const later = await db('emails').where({ order_id: orderId, kind }).where('id', '>', id).first('id');
  return later !== undefined;
}

/** A claim that has not been renewed for this long belonged to a worker that was killed. */
const CLAIM_SECONDS = 15;
const MAX_ERROR_LENGTH = 500;

/**
 * Claims the e-mail for sending. Undefined if it is sent, refused or dropped, or another worker is sending it.
 * The Message-ID is assigned once, so a mail repeated after a crash is recognizable as the same. Concurrent calls share a
 * statement; a process has one sender, so all of them pass the same `domain`.
 */
export function claimEmail(db: Database, id: string, domain: string): Promise<Email | undefined> {
  return claimEmails(db)({ id, domain });
}

const claimEmails = perOwner((db: Database) =>
  inBatches<{ id: string; domain: string }, Email | undefined>(async (wanted) => {
    const rows = await runPrepared<Email>(
      db,
      `update emails set status = 'sending', claimed_at = now(), attempts = attempts + 1,
         message_id = coalesce(message_id,
           '<' || kind || '.' || regexp_replace(dedupe_key, '[^A-Za-z0-9._-]', '.', 'g') || '@' || :domain || '>')
       where id = any(:ids) and (status = 'queued' or
         (status = 'sending' and claimed_at < now() - :claim * interval '1 second'))
       returning id, kind, params, order_id as "orderId", message_id as "messageId", created_at as "createdAt"`,
      { ids: wanted.map(({ id }) => id), domain: wanted[0]?.domain ?? '', claim: CLAIM_SECONDS },
    );
    const claimed = new Map(rows.map((email) => [email.id, email]));
    return wanted.map(({ id }) => {
      const email = claimed.get(id);
      claimed.delete(id);
      return email;
    });
  }),
);

export async function renewClaim(db: Database, id: string): Promise<void> {
  await db('emails').where({ id, status: 'sending' }).update({ claimed_at: db.fn.now() });
}

export async function isEmailOpen(db: Database, id: string): Promise<boolean> {
  const row = await db('emails').whereIn('status', ['queued', 'sending']).where({ id }).first('id');
  return row !== undefined;
}

/** Accepted by the mail server, refused permanently (5xx), or no longer relevant. */
export type EmailOutcome =
  | { status: 'sent'; recipient: string }
  | { status: 'refused'; error: string }
  | { status: 'dropped' };

/** Records the outcome and marks the job's row done, both or neither. Concurrent calls share a statement. */
export function completeEmail(
  db: Database,
  ended: { id: string; row: string; outcome: EmailOutcome },
): Promise<void> {
  return completeEmails(db)(ended);
}

/**
 * Records e-mails together. No one waits for the record, but an e-mail that is sent and not recorded yet is sent again if the
 * worker is killed.
 */
const gathering = { delayMs: 100, enough: 16 };

const completeEmails = perOwner((db: Database) =>
  inBatches<{ id: string; row: string; outcome: EmailOutcome }, void>(async (ended) => {
    const items = ended.map(({ outcome, ...ids }) => ({ ...ids, ...outcome }));
    await runBatch(
      db,
      items,
      `with ended as (${recordset('id bigint, "row" bigint, status text, recipient text, error text', items)}),
       recorded as (
         update emails set status = ended.status, recipient = coalesce(ended.recipient, emails.recipient),
           sent_at = case when ended.status = 'sent' then now() else sent_at end,
           last_error = case when ended.status = 'dropped' then last_error else left(ended.error, :longest) end
         from ended where emails.id = ended.id)
       update outbox set status = 'done', done_at = now()
       from ended where outbox.id = ended."row" and ${IS_OPEN}`,
      { longest: MAX_ERROR_LENGTH },
    );
    return ended.map(() => undefined);
  }, gathering),
);

/** Releases the claim after a failure that may be temporary. */
export async function releaseEmail(db: Database, id: string, error: string): Promise<void> {
  await db('emails')
    .where({ id, status: 'sending' })
    .update({ status: 'queued', last_error: error.slice(0, MAX_ERROR_LENGTH) });
}

export interface EmailRecord extends Omit<Email, 'messageId'> {
  messageId: string | null;
  status: 'queued' | 'sending' | 'sent' | 'refused' | 'dropped';
  dedupeKey: string;
  recipient: string | null;
  attempts: number;
  lastError: string | null;
  sentAt: Date | null;
}

const record = {
  id: 'id',
  kind: 'kind',
  dedupeKey: 'dedupe_key',
  params: 'params',
  orderId: 'order_id',
  status: 'status',
  messageId: 'message_id',
  createdAt: 'created_at',
  recipient: 'recipient',
  attempts: 'attempts',
  lastError: 'last_error',
  sentAt: 'sent_at',
} as const;

const jobIsDead = `exists (select from outbox where job = 'send-email' and outbox.status = 'dead'
  and payload = jsonb_build_object('emailId', emails.id::text))`;

/** E-mails that were refused by the mail server or whose job is dead, newest first. */
export async function listFailedEmails(db: Database, limit: number): Promise<EmailRecord[]> {
  return db('emails')
    .select(record)
    .whereRaw(
      `id in (
         select id from emails where status = 'refused'
         union
         select ${SUBJECT}::bigint from outbox where status = 'dead' and job = 'send-email')
       and status in ('refused', 'queued', 'sending')`,
    )
    .orderBy('id', 'desc')
    .limit(limit);
}

/** E-mails that the mail server refused, newest first. */
export async function listRefusedEmails(db: Database, limit: number): Promise<EmailRecord[]> {
  return db('emails').select(record).where({ status: 'refused' }).orderBy('id', 'desc').limit(limit);
}

export async function findEmail(db: Database, id: string): Promise<EmailRecord | undefined> {
  return db('emails').select(record).where({ id }).first();
}

/** Dismisses a refused e-mail and stores the reason. False unless it was refused. */
export async function dismissEmail(db: Database, id: string, why: string): Promise<boolean> {
  const changed = await db('emails')
    .where({ id, status: 'refused' })
    .update({ status: 'dropped', last_error: `dismissed: ${why}`.slice(0, MAX_ERROR_LENGTH) });
  return changed > 0;
}

/** Whether staff had the e-mail sent again. */
export function wasResent({ messageId }: Pick<Email, 'messageId'>): boolean {
  return /\.again-\d+@/.test(messageId);
}

/**
 * Queues the e-mail again, with a new Message-ID if it was sent or dropped; {@link wasResent} knows it by that. False while it
 * is still being sent.
 */
export async function resendEmail(trx: Transaction, id: string): Promise<boolean> {
  return queueAgain(trx, id, `(status in ('sent', 'refused', 'dropped') or ${jobIsDead})`);
}

/** Queues the e-mail again. False unless it was refused. */
export async function resendRefusedEmail(trx: Transaction, id: string): Promise<boolean> {
  return queueAgain(trx, id, `status = 'refused'`);
}

async function queueAgain(trx: Transaction, id: string, condition: string): Promise<boolean> {
  const changed = await trx('emails')
    .where({ id })
    .whereRaw(condition)
    .update({
      status: 'queued',
      claimed_at: null,
      message_id: trx.raw(
        `case when sent_at is null and status <> 'dropped' then message_id
         else regexp_replace(message_id, '(\\.again-[0-9]+){0,1}@', '.again-' || attempts || '@') end`,
      ),
    });
  if (changed === 0) return false;
  await runAgain(trx, { name: 'send-email', payload: { emailId: id } });
  return true;
}

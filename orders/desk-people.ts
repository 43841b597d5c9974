import { csvHead, csvRow } from '../core/csv.ts';
import type { PlainAction } from '../core/desk-actions.ts';
import type { PersonRequest } from '../core/desk-people.ts';
import type { Staff } from '../core/staff.ts';
import { markMessageAnswered } from '../db/desk-people.ts';
import { type Erased, erasePerson, exportPerson, type PersonData } from '../db/people.ts';
import { findUser } from '../db/users.ts';
import { actionNotPossible } from './errors.ts';
import type { OrderParts } from './parts.ts';
import { requireFreshOperator, requireOperator } from './permissions.ts';
import { recordAction, recordNewAction } from './record-action.ts';
import { readSubscribers, type SubscriberParts, subscriberColumns } from './subscribers.ts';

type Parts = Pick<OrderParts, 'db' | 'outbox'>;

/** Marks a message as answered; staff answer with their own mail program. Idempotent by key. */
export async function answerMessage(
  { outbox }: Parts,
  staff: Staff,
  { messageId, requestId, wanted }: { messageId: string; requestId: string; wanted: PlainAction },
): Promise<void> {
  requireOperator(staff);
  await outbox.transaction(requestId, async (trx) => {
    const done = { ...wanted, action: 'answer message', subject: messageId };
    if (!(await recordAction(trx, staff, done))) return;
    if (!(await markMessageAnswered(trx, messageId))) {
      throw actionNotPossible('This message is already answered, or no longer exists.');
    }
  });
}

/** Yields the confirmed subscribers as lines of CSV. Each export is recorded. */
export async function* exportSubscribers(
  parts: Parts & SubscriberParts,
  staff: Staff,
  wanted: PlainAction,
  requestId: string,
): AsyncGenerator<string> {
  requireFreshOperator(staff);
  await parts.outbox.transaction(requestId, (trx) =>
    recordNewAction(trx, staff, { ...wanted, action: 'export newsletter' }),
  );
  yield `${csvHead(subscriberColumns)}\r\n`;
  for await (const row of readSubscribers(parts)) yield `${csvRow(subscriberColumns, row)}\r\n`;
}

/** Everything stored about a person. The staff record does not name them, because it outlives their data. */
export async function exportPersonData(
  { db, outbox }: Parts,
  staff: Staff,
  { email, key, reason }: PersonRequest,
  requestId: string,
): Promise<PersonData> {
  requireFreshOperator(staff);
  await outbox.transaction(requestId, (trx) =>
    recordNewAction(trx, staff, { key, reason, action: 'export person' }),
  );
  return exportPerson(db, email);
}

/** Erases a person, except for what has to be kept, and ends their sessions by `endSessions`. */
export async function erasePersonData(
  { db, outbox }: Parts,
  staff: Staff,
  { email, key, reason }: PersonRequest,
  { requestId, endSessions }: { requestId: string; endSessions: (userId: string) => Promise<unknown> },
): Promise<Erased> {
  requireFreshOperator(staff);
  const user = await findUser(db, email);
  if (user) await endSessions(user.id);
  return outbox.transaction(requestId, async (trx) => {
    const erased = await erasePerson(trx, email);
    const { kept, ...counts } = erased;
    const details = { ...counts, kept: kept.length };
    await recordNewAction(trx, staff, { key, reason, action: 'erase person', details });
    return erased;
  });
}

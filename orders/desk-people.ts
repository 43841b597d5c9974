import { randomUUID } from 'node:crypto';
import { csvLine } from '../core/csv.ts';
import type { PersonRequest } from '../core/desk-people.ts';
import type { Staff } from '../core/staff.ts';
import { recordDeskAction } from '../db/desk-actions.ts';
import { markMessageAnswered } from '../db/desk-people.ts';
import { listSubscribers } from '../db/newsletter.ts';
import { type Erased, erasePerson, exportPerson, type PersonData } from '../db/people.ts';
import { findUserByName } from '../db/users.ts';
import { actionNotPossible } from './errors.ts';
import type { OrderParts } from './parts.ts';
import { requireFreshOperator, requireOperator } from './permissions.ts';

type Parts = Pick<OrderParts, 'db' | 'outbox'>;
const BATCH = 1_000;

/** Marks a message as answered; staff answer with their own mail program. */
export async function answerMessage(
  { outbox }: Parts,
  staff: Staff,
  { messageId, requestId }: { messageId: string; requestId: string },
): Promise<void> {
  requireOperator(staff);
  await outbox.transaction(requestId, async (trx) => {
    if (!(await markMessageAnswered(trx, messageId))) {
      throw actionNotPossible('This message is answered already, or gone.');
    }
    const done = { key: randomUUID(), action: 'answer message', subject: messageId, reason: 'answered' };
    await recordDeskAction(trx, staff, done);
  });
}

/** The confirmed subscribers as CSV, some lines at a time; `unsubscribeUrl` gives each their link. Recorded. */
export async function* exportSubscribers(
  { db, outbox }: Parts,
  staff: Staff,
  unsubscribeUrl: (id: string) => string,
  requestId: string,
): AsyncGenerator<string> {
  requireOperator(staff);
  await outbox.transaction(requestId, (trx) =>
    recordDeskAction(trx, staff, { key: randomUUID(), action: 'export newsletter', reason: 'export' }),
  );
  yield `${csvLine(['email', 'subscribed_at', 'confirmed_at', 'unsubscribe_url'])}\r\n`;
  for (let last: string | null = null; ; ) {
    const page = await listSubscribers(db, last, BATCH);
    for (const { id, email, subscribedAt, confirmedAt } of page) {
      const times = [subscribedAt.toISOString(), confirmedAt.toISOString()];
      yield `${csvLine([email, ...times, unsubscribeUrl(id)])}\r\n`;
    }
    last = page.at(-1)?.id ?? null;
    if (last === null) return;
  }
}

/** Everything that is stored about a person. The record does not name them: it outlives them. */
export async function exportPersonData(
  { db, outbox }: Parts,
  staff: Staff,
  { email, key, reason }: PersonRequest,
  requestId: string,
): Promise<PersonData> {
  requireFreshOperator(staff);
  await outbox.transaction(requestId, (trx) =>
    recordDeskAction(trx, staff, { key, reason, action: 'export person' }),
  );
  return exportPerson(db, email);
}

/** Erases a person, but for what has to be kept, and ends their sessions by `endSessions`. */
export async function erasePersonData(
  { db, outbox }: Parts,
  staff: Staff,
  { email, key, reason }: PersonRequest,
  { requestId, endSessions }: { requestId: string; endSessions: (userId: string) => Promise<unknown> },
): Promise<Erased> {
  requireFreshOperator(staff);
  const user = await findUserByName(db, email);
  if (user) await endSessions(user.id);
  return outbox.transaction(requestId, async (trx) => {
    const erased = await erasePerson(trx, email);
    const { kept, ...counts } = erased;
    const details = { ...counts, kept: kept.length };
    await recordDeskAction(trx, staff, { key, reason, action: 'erase person', details });
    return erased;
  });
}

import { expect, test } from 'vitest';
import type { EmailRequest } from '../core/emails.ts';
import { withDatabase } from '../testing/with-database.ts';
import { queueEmails } from './emails.ts';
import { transact } from './unit-of-work.ts';

const db = await withDatabase();

test('an e-mail that is requested twice in one call has one job', async () => {
  const request: EmailRequest = {
    kind: 'payout_failed_alert',
    dedupeKey: 'po_1',
    params: { provider: 'stripe', payoutId: 'po_1', amount: 100, currency: 'USD' },
  };
  const { due } = await transact(db, null, (trx) => queueEmails(trx, [request, request]));
  expect(due).toEqual(['emails']);
  expect(await db('outbox').select('job')).toEqual([{ job: 'send-email' }]);
});

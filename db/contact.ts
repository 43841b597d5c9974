import type { Database, Transaction } from './database.ts';
import { queueEmails } from './emails.ts';

export interface ContactMessage {
  id: string;
  name: string;
  email: string;
  message: string;
  createdAt: Date;
}

export async function receiveContactMessage(
  trx: Transaction,
  { name, email, message }: Pick<ContactMessage, 'name' | 'email' | 'message'>,
  { isAcknowledged }: { isAcknowledged: boolean },
): Promise<void> {
  const rows = await trx('contact_messages')
    .insert({ name, email, message })
    .returning<{ id: string }[]>('id');
  await queueEmails(
    trx,
    rows.flatMap(({ id: messageId }) => {
      const about = { dedupeKey: messageId, params: { messageId } };
      const notice = { kind: 'contact_notice', ...about } as const;
      return isAcknowledged ? [notice, { kind: 'contact_acknowledgement', ...about }] : [notice];
    }),
  );
}

export async function findContactMessage(db: Database, id: string): Promise<ContactMessage | undefined> {
  return db('contact_messages')
    .select('id', 'name', 'email', 'message', { createdAt: 'created_at' })
    .where({ id })
    .first();
}

import { randomUUID } from 'node:crypto';
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
): Promise<void> {
  const messageId = randomUUID();
  await trx('contact_messages').insert({ id: messageId, name, email, message });
  const about = { dedupeKey: messageId, params: { messageId } };
  await queueEmails(trx, [
    { kind: 'contact_notice', ...about },
    { kind: 'contact_acknowledgement', ...about },
  ]);
}

export async function findContactMessage(db: Database, id: string): Promise<ContactMessage | undefined> {
  return db('contact_messages')
    .select('id', 'name', 'email', 'message', { createdAt: 'created_at' })
    .where({ id })
    .first();
}

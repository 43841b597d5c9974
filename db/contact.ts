import type { Database, Transaction } from './database.ts';

export interface ContactMessage {
  id: string;
  name: string;
  email: string;
  message: string;
  createdAt: Date;
}

/** Stores what a visitor wrote. Returns its id. */
export async function storeContactMessage(
  trx: Transaction,
  { name, email, message }: Pick<ContactMessage, 'name' | 'email' | 'message'>,
): Promise<string> {
  const [row] = await trx('contact_messages')
    .insert({ name, email, message })
    .returning<{ id: string }[]>('id');
  if (!row) throw new Error('The contact message was not stored');
  return row.id;
}

export async function findContactMessage(db: Database, id: string): Promise<ContactMessage | undefined> {
  return db('contact_messages')
    .select('id', 'name', 'email', 'message', { createdAt: 'created_at' })
    .where({ id })
    .first();
}

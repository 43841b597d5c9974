import { type ContactMessage, findContactMessage } from '../../db/contact.ts';
import type { Composer, EmailOf, EmailParts } from './composer.ts';

export const composeContactNotice: Composer<'contact_notice'> = async (parts, email) => {
  const { id, name, email: address, message, createdAt } = await requireMessage(parts, email);
  const props = { messageId: id, name, email: address, message, receivedAt: createdAt.toISOString() };
  return { props, replyTo: address };
};

export const composeContactAcknowledgement: Composer<'contact_acknowledgement'> = async (parts, email) => {
  const { name, email: address, createdAt } = await requireMessage(parts, email);
  return { props: { name, receivedAt: createdAt.toISOString() }, address };
};

async function requireMessage(
  { db }: EmailParts,
  { id, params }: EmailOf<'contact_notice' | 'contact_acknowledgement'>,
): Promise<ContactMessage> {
  const message = await findContactMessage(db, params.messageId);
  if (!message) throw new Error(`E-mail ${id}: contact message ${params.messageId} not found`);
  return message;
}

import { type ContactMessage, findContactMessage } from '../db/contact.ts';
import type { Email } from '../db/emails.ts';
import type { WorkerParts } from '../worker/parts.ts';
import type { Mail } from './compose-email.ts';
import { renderEmail } from './index.ts';

/** To staff, who answer the visitor by replying. */
export async function composeContactNotice(parts: WorkerParts, email: Email): Promise<Mail> {
  const { id, name, email: address, message, createdAt } = await requireMessage(parts, email);
  const content = await renderEmail('contact_notice', {
    siteUrl: parts.config.publicUrl,
    messageId: id,
    name,
    email: address,
    message,
    receivedAt: createdAt.toISOString(),
  });
  return { to: parts.config.mail.staff, replyTo: address, ...content };
}

/** To the visitor, with the promise of an answer within 24 hours (spec §1). */
export async function composeContactAcknowledgement(parts: WorkerParts, email: Email): Promise<Mail> {
  const { name, email: address, createdAt } = await requireMessage(parts, email);
  const props = { siteUrl: parts.config.publicUrl, name, receivedAt: createdAt.toISOString() };
  return { to: address, ...(await renderEmail('contact_acknowledgement', props)) };
}

async function requireMessage(parts: WorkerParts, email: Email): Promise<ContactMessage> {
  const message = await findContactMessage(parts.db, email.subjectId);
  if (!message) throw new Error(`E-mail ${email.id} is about a contact message that does not exist`);
  return message;
}

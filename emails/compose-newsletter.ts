import { CONFIRMATION_VALID_HOURS } from '../core/newsletter.ts';
import { newsletterConfirmFor, newsletterUnsubscribeFor, oneClickUnsubscribeFor } from '../core/paths.ts';
import type { Email } from '../db/emails.ts';
import { findSubscription, type Subscription } from '../db/newsletter.ts';
import type { WorkerParts } from '../worker/parts.ts';
import type { Mail } from './compose-email.ts';
import { renderEmail } from './index.ts';

/** The link whose button confirms; pointless once the address has confirmed or left. */
export async function composeConfirmation(parts: WorkerParts, email: Email): Promise<Mail | undefined> {
  const subscription = await requireSubscription(parts, email);
  if (subscription.status !== 'pending') return undefined;
  const validMs = CONFIRMATION_VALID_HOURS * 3_600_000;
  const token = parts.tokens.sign('newsletter-confirm', subscription.id, validMs);
  const siteUrl = parts.config.publicUrl;
  const confirmUrl = `${siteUrl}${newsletterConfirmFor(token)}`;
  const props = { siteUrl, confirmUrl, validHours: CONFIRMATION_VALID_HOURS };
  return { to: subscription.email, ...(await renderEmail('newsletter_confirmation', props)) };
}

/** The welcome, with the ways out that every newsletter mail carries (RFC 8058). */
export async function composeWelcome(parts: WorkerParts, email: Email): Promise<Mail | undefined> {
  const subscription = await requireSubscription(parts, email);
  if (subscription.status !== 'confirmed') return undefined;
  const token = parts.tokens.sign('newsletter-unsubscribe', subscription.id, null);
  const siteUrl = parts.config.publicUrl;
  const content = await renderEmail('newsletter_welcome', {
    siteUrl,
    unsubscribeUrl: `${siteUrl}${newsletterUnsubscribeFor(token)}`,
  });
  const headers = {
    'List-Unsubscribe': `<${siteUrl}${oneClickUnsubscribeFor(token)}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  };
  return { to: subscription.email, headers, ...content };
}

async function requireSubscription(parts: WorkerParts, email: Email): Promise<Subscription> {
  const [id = ''] = email.subjectId.split(':');
  const subscription = await findSubscription(parts.db, id);
  if (!subscription) throw new Error(`E-mail ${email.id} is about a subscription that does not exist`);
  return subscription;
}

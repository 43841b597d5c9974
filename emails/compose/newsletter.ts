import { CONFIRMATION_VALID_HOURS } from '../../core/newsletter.ts';
import { newsletterConfirmFor, newsletterUnsubscribeFor, oneClickUnsubscribeFor } from '../../core/paths.ts';
import { findSubscription, type Subscription } from '../../db/newsletter.ts';
import type { Composer, EmailOf, EmailParts } from './composer.ts';

/** Dropped once the address has confirmed or unsubscribed. */
export const composeConfirmation: Composer<'newsletter_confirmation'> = async (parts, email) => {
  const subscription = await requireSubscription(parts, email);
  if (subscription.status !== 'pending') return undefined;
  const validMs = CONFIRMATION_VALID_HOURS * 3_600_000;
  const token = parts.tokens.sign('newsletter-confirm', subscription.id, validMs);
  const confirmUrl = `${parts.config.publicUrl}${newsletterConfirmFor(token)}`;
  return { props: { confirmUrl, validHours: CONFIRMATION_VALID_HOURS }, address: subscription.email };
};

/** Carries the one-click unsubscribe headers of RFC 8058. */
export const composeWelcome: Composer<'newsletter_welcome'> = async (parts, email) => {
  const subscription = await requireSubscription(parts, email);
  if (subscription.status !== 'confirmed') return undefined;
  const token = parts.tokens.sign('newsletter-unsubscribe', subscription.id, null);
  const { publicUrl } = parts.config;
  return {
    props: { unsubscribeUrl: `${publicUrl}${newsletterUnsubscribeFor(token)}` },
    address: subscription.email,
    headers: {
      'List-Unsubscribe': `<${publicUrl}${oneClickUnsubscribeFor(token)}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    },
  };
};

async function requireSubscription(
  { db }: EmailParts,
  { id, params }: EmailOf<'newsletter_confirmation' | 'newsletter_welcome'>,
): Promise<Subscription> {
  const subscription = await findSubscription(db, params.subscriptionId);
  if (!subscription) throw new Error(`E-mail ${id}: subscription ${params.subscriptionId} not found`);
  return subscription;
}

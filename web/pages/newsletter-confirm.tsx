import { newsletterConfirm } from '../content/newsletter.ts';
import { NewsletterAction } from '../features/newsletter/newsletter-action.tsx';
import { api } from '../lib/api-paths.ts';

/** Asks for a click: a mail scanner's visit must not count as consent. */
export function NewsletterConfirmPage() {
  return <NewsletterAction call={api.confirmSubscription} {...newsletterConfirm} />;
}

import { newsletterConfirm } from '../content/newsletter.ts';
import { NewsletterAction } from '../features/newsletter/newsletter-action.tsx';
import { api } from '../lib/api-paths.ts';

/** Where the confirmation mail leads: the click here is the consent, so that a mail scanner's visit is not. */
export function NewsletterConfirmPage() {
  return <NewsletterAction call={api.confirmSubscription} {...newsletterConfirm} />;
}

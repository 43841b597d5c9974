import { newsletterUnsubscribe } from '../content/newsletter.ts';
import { NewsletterAction } from '../features/newsletter/newsletter-action.tsx';
import { api } from '../lib/api-paths.ts';

export function NewsletterUnsubscribePage() {
  return <NewsletterAction call={api.unsubscribe} {...newsletterUnsubscribe} />;
}

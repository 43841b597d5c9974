import { NewsletterAction } from '../features/newsletter/newsletter-action.tsx';
import { api } from '../lib/paths.ts';

/** Where the link in every newsletter leads. */
export function NewsletterUnsubscribePage() {
  return (
    <NewsletterAction
      call={api.unsubscribe}
      ask={{
        title: 'Leave the newsletter?',
        text: 'One click, and we do not write to you again. Messages about orders that you place are not affected.',
        button: 'Unsubscribe',
        pending: 'Unsubscribing...',
      }}
      done={{
        title: 'You have left the newsletter',
        text: 'We will not write to you again. You can come back at any time.',
      }}
    />
  );
}

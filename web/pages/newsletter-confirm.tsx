import { NewsletterAction } from '../features/newsletter/newsletter-action.tsx';
import { api } from '../lib/paths.ts';

/** Where the confirmation mail leads: the click here is the consent, so that a mail scanner's visit is not. */
export function NewsletterConfirmPage() {
  return (
    <NewsletterAction
      call={api.confirmSubscription}
      ask={{
        title: 'Confirm your subscription',
        text: 'One click, and you receive our letter: once a month, one slow query taken apart. You can leave at any time.',
        button: 'Confirm subscription',
        pending: 'Confirming...',
      }}
      done={{ title: 'You are on the list', text: 'Thank you. The next letter comes to you.' }}
    />
  );
}

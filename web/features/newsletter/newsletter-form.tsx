import { type FormEvent, useRef } from 'react';
import { Button } from '../../components/ui/button.tsx';
import { Honeypot } from '../../components/ui/honeypot.tsx';
import { footer } from '../../content/footer.ts';
import { codeOf, messageOf, post } from '../../lib/api-client.ts';
import { api } from '../../lib/api-paths.ts';
import { textFields } from '../../lib/form-data.ts';
import { toast } from '../../lib/toast-store.ts';
import { useSubmission } from '../../lib/use-submission.ts';

/** The footer's sign-up. Nothing happens while the address is empty. */
export function NewsletterForm({ className = '' }: { className?: string }) {
  const form = useRef<HTMLFormElement>(null);
  const subscription = useSubmission({
    call: (fields: Record<string, string>) => post(api.subscribe, fields),
    onSuccess() {
      form.current?.reset();
      toast({
        title: 'Subscribed!',
        description: "You've been added to our newsletter. Check your email for confirmation.",
      });
    },
    onError(error) {
      toast({ title: 'Subscription Failed', description: failureText(error), variant: 'destructive' });
    },
  });

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fields = textFields(event.currentTarget);
    if (fields.email) subscription.submit(fields);
  };
  return (
    <form
      ref={form}
      method="post"
      action={api.subscribe}
      onSubmit={submit}
      aria-labelledby="newsletter-title"
      className={`relative ${className}`}
    >
      <h2 id="newsletter-title" className="text-sm font-semibold tracking-normal">
        {footer.newsletter.title}
      </h2>
      <p className="mt-3 text-sm text-muted">{footer.newsletter.lead}</p>
      <div className="mt-4 flex flex-wrap gap-2">
        <label className="sr-only" htmlFor="newsletter-email">
          E-mail address
        </label>
        <input
          id="newsletter-email"
          name="email"
          type="email"
          autoComplete="email"
          placeholder="you@company.com"
          pattern="[^@]+@[^@]+\.[^@]+"
          title="An address such as you@company.com"
          className="control min-w-0 grow-[99] basis-46 rounded-control border border-edge bg-surface px-3.5 py-2 text-base text-ink placeholder:text-muted"
        />
        <Button
          type="submit"
          look="secondary"
          pending={subscription.isPending}
          pendingLabel="Subscribing..."
          className="grow !px-4 !py-2"
        >
          Subscribe
        </Button>
      </div>
      <Honeypot />
    </form>
  );
}

function failureText(error: unknown): string {
  const later = 'Please try again later.';
  return codeOf(error) === 'already_subscribed' ? messageOf(error, later) : later;
}

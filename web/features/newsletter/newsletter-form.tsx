import { type FormEvent, useRef, useState } from 'react';
import { messages } from '../../../core/messages.ts';
import { Button } from '../../components/ui/button.tsx';
import { Honeypot } from '../../components/ui/honeypot.tsx';
import { footer } from '../../content/footer.ts';
import { messageOf, post } from '../../lib/api-client.ts';
import { api } from '../../lib/api-paths.ts';
import { toast } from '../../lib/toast-store.ts';
import { useTypedEarly } from '../../lib/use-typed-early.ts';

/** The footer's sign-up. Nothing happens while the address is empty (spec §5). */
export function NewsletterForm({ className = '' }: { className?: string }) {
  const [email, setEmail] = useState('');
  const [subscribing, setSubscribing] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const trap = useRef<HTMLInputElement>(null);
  useTypedEarly(form, (typed) => setEmail(typed.email ?? ''));

  async function subscribe(event: FormEvent) {
    event.preventDefault();
    if (subscribing || email.trim() === '') return;
    setSubscribing(true);
    try {
      await post(api.subscribe, { email: email.trim(), ...trapped(trap.current) });
      setEmail('');
      toast({
        title: 'Subscribed!',
        description: "You've been added to our newsletter. Check your email for confirmation.",
      });
    } catch (error) {
      toast({ title: 'Subscription Failed', description: failureText(error), variant: 'destructive' });
    } finally {
      setSubscribing(false);
    }
  }

  return (
    <form
      ref={form}
      onSubmit={(event) => void subscribe(event)}
      aria-labelledby="newsletter-title"
      className={`relative ${className}`}
    >
      <h2 id="newsletter-title" className="text-sm font-semibold tracking-normal">
        {footer.newsletter.title}
      </h2>
      <p className="mt-3 text-sm text-muted">{footer.newsletter.lead}</p>
      <div className="mt-4 flex gap-2">
        <label className="sr-only" htmlFor="newsletter-email">
          E-mail address
        </label>
        <input
          id="newsletter-email"
          name="email"
          type="email"
          autoComplete="email"
          placeholder="you@company.com"
          value={email}
          onChange={(event) => setEmail(event.target.value)}
          className="control min-w-0 flex-1 rounded-control border border-edge bg-surface px-3.5 py-2 text-base text-ink placeholder:text-muted"
        />
        <Button
          type="submit"
          look="secondary"
          pending={subscribing}
          pendingLabel="Subscribing..."
          className="!px-4 !py-2"
        >
          Subscribe
        </Button>
      </div>
      <Honeypot ref={trap} />
      <noscript>
        <p className="mt-2 text-sm text-muted">Signing up needs JavaScript.</p>
      </noscript>
    </form>
  );
}

function trapped(input: HTMLInputElement | null) {
  return input?.value ? { website: input.value } : {};
}

function failureText(error: unknown): string {
  const known = messageOf(error, '').toLowerCase().includes('already subscribed');
  return known ? messages.alreadySubscribed : 'Please try again later.';
}

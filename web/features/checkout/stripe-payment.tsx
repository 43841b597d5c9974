import { Elements } from '@stripe/react-stripe-js';
import type { Appearance } from '@stripe/stripe-js';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { messages } from '../../../core/messages.ts';
import { paths } from '../../../core/paths.ts';
import { Button } from '../../components/ui/button.tsx';
import { SiteLink } from '../../components/ui/link.tsx';
import type { CheckoutDetails } from '../../lib/checkout-attempt.ts';
import { CardForm } from './card-form.tsx';
import { CardSkeleton } from './card-skeleton.tsx';
import type { PayableOrder } from './create-order.ts';
import { openStripe } from './stripe-loader.ts';
import { useDarkTheme } from './use-dark-theme.ts';
import { useSiteConfig } from './use-site-config.ts';

/** Stripe's own fields, in Stripe's frame, for the order's PaymentIntent. */
export function StripePayment(props: {
  order: Extract<PayableOrder, { method: 'stripe' }>;
  details: CheckoutDetails;
  onOver: () => void;
}) {
  const config = useSiteConfig();
  const settings = config.data?.stripe;
  const stripe = useQuery({
    queryKey: ['stripe.js', settings?.scriptUrl],
    queryFn: () => (settings ? openStripe(settings) : null),
    enabled: Boolean(settings),
    structuralSharing: false,
  });
  const { clientSecret } = props.order;
  const [broken, setBroken] = useState(false);
  const isDark = useDarkTheme();
  // Elements forwards a changed appearance to the fields, which keep their input.
  const options = useMemo(
    () => ({ clientSecret, appearance: siteAppearance(isDark) }),
    [clientSecret, isDark],
  );

  const failed = config.isError || stripe.isError || settings === null;
  if (failed)
    return <StripeUnavailable onRetry={() => void (config.isError ? config.refetch() : stripe.refetch())} />;
  if (broken) return <StripeUnavailable onRetry={() => setBroken(false)} />;
  if (!stripe.data) return <CardSkeleton />;
  return (
    <Elements stripe={stripe.data} options={options}>
      <CardForm
        orderId={props.order.orderId}
        details={props.details}
        onOver={props.onOver}
        onBroken={() => setBroken(true)}
      />
    </Elements>
  );
}

function StripeUnavailable({ onRetry }: { onRetry: () => void }) {
  return (
    <div role="alert" className="rounded-card border border-error bg-error-wash p-5">
      <p>{messages.stripeUnavailable}</p>
      <p className="mt-4 flex flex-wrap items-center gap-x-6 gap-y-3">
        <Button look="secondary" onClick={onRetry}>
          Try the card again
        </Button>
        <SiteLink to={paths.contact} className="link">
          Contact us
        </SiteLink>
      </p>
    </div>
  );
}

/** The site's tokens, for the fields that Stripe draws. */
function siteAppearance(isDark: boolean): Appearance {
  const token = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  return {
    theme: isDark ? 'night' : 'stripe',
    variables: {
      colorPrimary: token('--color-accent'),
      colorBackground: token('--color-surface'),
      colorText: token('--color-ink'),
      colorTextSecondary: token('--color-muted'),
      colorDanger: token('--color-error'),
      borderRadius: '8px',
      fontSizeBase: '17px',
      fontFamily: 'system-ui, sans-serif',
    },
  };
}

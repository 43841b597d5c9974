import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { messages } from '../../../core/messages.ts';
import { paths, successFor } from '../../../core/paths.ts';
import { Button } from '../../components/ui/button.tsx';
import { SiteLink } from '../../components/ui/link.tsx';
import { Skeleton } from '../../components/ui/skeleton.tsx';
import { ApiError, messageOf } from '../../lib/api-client.ts';
import { toast } from '../../lib/toast-store.ts';
import { capturePaypalOrder, confirmPaypalPayment, createPaypalProviderOrder } from './paypal-calls.ts';
import { openPaypal } from './paypal-sdk.ts';
import { useSiteConfig } from './use-site-config.ts';

/** PayPal's button and window, then capture, then confirmation by our own server. */
export function PaypalPayment(props: {
  orderId: string;
  cents: number;
  /** The order can no longer be paid; the checkout starts over. */
  onOver: () => void;
}) {
  const { orderId, cents, onOver } = props;
  const config = useSiteConfig();
  const scriptUrl = config.data?.paypal?.scriptUrl;
  const paypal = useQuery({
    queryKey: ['paypal.js', scriptUrl],
    queryFn: () => (scriptUrl ? openPaypal(scriptUrl).catch(logged) : null),
    enabled: Boolean(scriptUrl),
    structuralSharing: false,
  });
  const [working, setWorking] = useState(false);

  /** Only a completed capture is confirmed to the server. */
  async function settle(paypalOrderId: string) {
    setWorking(true);
    try {
      const status = await capturePaypalOrder(paypalOrderId);
      if (status === 'COMPLETED') await confirmPaypalPayment(orderId, paypalOrderId).catch(logQuietly);
      if (status === 'COMPLETED' || status === 'PENDING') return window.location.assign(successFor(orderId));
      console.error(`PayPal did not complete the payment: ${status}`);
      toast({
        title: 'Payment Failed',
        description: 'PayPal did not complete the payment.',
        variant: 'destructive',
      });
    } catch (error) {
      console.error('The PayPal payment could not be captured', error);
      toast({
        title: 'Payment Failed',
        description: 'We could not finish the payment with PayPal. Please try again, or pay by card.',
        variant: 'destructive',
      });
    }
    setWorking(false);
  }

  async function start() {
    if (!paypal.data || working) return;
    const session = paypal.data.createPayPalOneTimePaymentSession({
      onApprove: ({ orderId: paypalOrderId }) => settle(paypalOrderId),
      onCancel: (detail) => console.info('PayPal payment canceled', detail),
      onError: (error) => console.error('PayPal error', error),
    });
    const order = createPaypalProviderOrder(orderId, cents).then((id) => ({ orderId: id }));
    order.catch(explain);
    await session.start({ presentationMode: 'auto' }, order).catch(logQuietly);
  }

  function explain(error: unknown) {
    const over = error instanceof ApiError && error.status === 409;
    const description = over ? messageOf(error, messages.paypalOrderFailed) : messages.paypalOrderFailed;
    toast({ title: 'Error', description, variant: 'destructive' });
    if (over) onOver();
  }

  if (config.data?.paypal === null) return <PaypalAbsent />;
  if (config.isError || paypal.isError) {
    return <PaypalAbsent onRetry={() => void (config.isError ? config.refetch() : paypal.refetch())} />;
  }
  return (
    <div className="min-h-32">
      <p className="text-muted">
        PayPal opens in its own window. You come back here when the payment is approved there.
      </p>
      <div className="mt-5">
        {paypal.data ? (
          <paypal-button
            type="pay"
            class="paypal-button block min-h-12"
            aria-disabled={working}
            onClick={() => void start()}
          />
        ) : (
          <Skeleton className="h-12 w-full" />
        )}
      </div>
      <p role="status" className="mt-4 text-sm text-muted">
        {working ? 'Processing...' : ''}
      </p>
    </div>
  );
}

function PaypalAbsent({ onRetry }: { onRetry?: () => void }) {
  return (
    <div role="alert" className="rounded-card border border-line bg-sunken p-5">
      <p>
        PayPal is not available at the moment. Please pay by card, or{' '}
        <SiteLink to={paths.contact} className="link">
          contact us
        </SiteLink>{' '}
        and we will find another way.
      </p>
      {onRetry && (
        <Button look="secondary" className="mt-4" onClick={onRetry}>
          Try PayPal again
        </Button>
      )}
    </div>
  );
}

function logged(error: unknown): never {
  console.error('PayPal could not be loaded', error);
  throw error;
}

function logQuietly(error: unknown): void {
  console.error('PayPal error', error);
}

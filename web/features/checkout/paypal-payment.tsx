import { useState } from 'react';
import { paths, successFor } from '../../../core/paths.ts';
import { Button } from '../../components/ui/button.tsx';
import { SiteLink } from '../../components/ui/link.tsx';
import { Skeleton } from '../../components/ui/skeleton.tsx';
import { ApiError, codeOf, messageOf } from '../../lib/api-client.ts';
import { toast } from '../../lib/toast-store.ts';
import {
  capturePaypalOrder,
  confirmPaypalPayment,
  createPaypalProviderOrder,
  isUndecided,
} from './paypal-calls.ts';
import { failureText } from './refusal.ts';
import { usePaypal } from './use-paypal.ts';

const couldNotOpen = 'PayPal’s window could not be opened. Please try again, or pay by card.';
const couldNotFinish = 'We could not finish the payment with PayPal. Please try again, or pay by card.';

/** PayPal's button and window, then capture, then confirmation by our own server. */
export function PaypalPayment(props: {
  orderId: string;
  cents: number;
  /** The order can no longer be paid; the checkout continues with a new one. */
  onOver: () => void;
}) {
  const { orderId, cents, onOver } = props;
  const paypal = usePaypal();
  const [working, setWorking] = useState(false);
  const [problem, setProblem] = useState('');

  const showOrder = () => window.location.assign(successFor(orderId));

  /** The reason is announced and stays beside the button; a toast with it would announce it twice. */
  function fail(text: string) {
    setProblem(text);
    toast({ title: 'Payment Failed', variant: 'destructive' });
  }

  /** Only a completed capture is confirmed to the server. */
  async function settle(paypalOrderId: string) {
    setWorking(true);
    try {
      const { status, reason, canRetry } = await capturePaypalOrder(paypalOrderId);
      if (status === 'COMPLETED') await confirmPaypalPayment(orderId, paypalOrderId).catch(logQuietly);
      if (status !== 'DECLINED') return showOrder();
      console.error(`PayPal did not complete the payment: ${status}`);
      fail(reason ?? 'PayPal did not complete the payment.');
      setWorking(false);
      if (canRetry) await start();
    } catch (error) {
      console.error('The PayPal payment could not be captured', error);
      // The money may be on its way: a second payment must not be asked for.
      if (isUndecided(error)) return showOrder();
      fail(
        error instanceof ApiError && error.status === 409 ? messageOf(error, couldNotFinish) : couldNotFinish,
      );
      setWorking(false);
    }
  }

  async function start() {
    try {
      const instance = await paypal.fresh();
      const session = instance.createPayPalOneTimePaymentSession({
        onApprove: ({ orderId: paypalOrderId }) => settle(paypalOrderId),
        onCancel: (detail) => console.info('PayPal payment canceled', detail),
        onError(error) {
          console.error('PayPal error', error);
          setProblem(couldNotOpen);
          paypal.renew();
        },
      });
      const order = createPaypalProviderOrder(orderId, cents).then((id) => ({ orderId: id }));
      const refused = order.then(() => false, explain);
      await session.start({ presentationMode: 'auto' }, order).catch(async (error) => {
        logQuietly(error);
        if (!(await refused)) setProblem((current) => current || couldNotOpen);
      });
    } catch (error) {
      logQuietly(error);
      setProblem(couldNotOpen);
    }
  }

  function explain(error: unknown): true {
    const code = codeOf(error);
    if (code === 'order_paid' || code === 'payment_in_progress') showOrder();
    else if (code === 'order_expired') onOver();
    else {
      toast({ title: 'Error', description: failureText('paypal', error), variant: 'destructive' });
    }
    return true;
  }

  function press() {
    if (working) return;
    setProblem('');
    void start();
  }

  if (paypal.state === 'off') return <PaypalAbsent />;
  if (paypal.state === 'failed') return <PaypalAbsent onRetry={paypal.retry} />;
  return (
    <div className="min-h-32">
      <p className="text-muted">
        PayPal opens in its own window. You come back here when the payment is approved there.
      </p>
      <div className="mt-5">
        {paypal.state === 'ready' ? (
          <paypal-button
            type="pay"
            class="paypal-button block min-h-12"
            aria-disabled={working}
            onClick={press}
          />
        ) : (
          <Skeleton className="h-12 w-full" />
        )}
      </div>
      {problem && (
        <p role="alert" className="mt-4 text-sm text-error">
          {problem}
        </p>
      )}
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

function logQuietly(error: unknown): void {
  console.error('PayPal error', error);
}

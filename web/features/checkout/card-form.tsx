import { PaymentElement, useElements, useStripe } from '@stripe/react-stripe-js';
import { type FormEvent, useRef, useState } from 'react';
import { successFor } from '../../../core/paths.ts';
import { Button } from '../../components/ui/button.tsx';
import type { CheckoutDetails } from '../../lib/checkout-attempt.ts';
import { toast } from '../../lib/toast-store.ts';

const noAnswer = 'The card provider did not answer. Please try again; you will not be charged twice.';

/** There is nothing left to pay; the result page explains. */
const settled = new Set(['succeeded', 'processing', 'requires_capture']);

/** A declined card changes nothing: the next attempt pays the same order. */
export function CardForm(props: {
  orderId: string;
  details: CheckoutDetails;
  onOver: () => void;
  /** The fields could not be loaded. */
  onBroken: () => void;
}) {
  const { orderId, details } = props;
  const stripe = useStripe();
  const elements = useElements();
  const [processing, setProcessing] = useState(false);
  const [ready, setReady] = useState(false);
  const [failure, setFailure] = useState('');
  const busy = useRef(false);

  async function pay(event: FormEvent) {
    event.preventDefault();
    if (!stripe || !elements || busy.current) return;
    busy.current = true;
    setProcessing(true);
    setFailure('');
    const resultPage = new URL(successFor(orderId), window.location.origin);
    try {
      const { error } = await stripe.confirmPayment({
        elements,
        confirmParams: { return_url: resultPage.href },
      });
      // On success the browser is already leaving, so a result is a failure.
      if (error.payment_intent && settled.has(error.payment_intent.status)) {
        resultPage.searchParams.set('payment_intent', error.payment_intent.id);
        window.location.assign(resultPage);
        return;
      }
      if (error.payment_intent?.status === 'canceled') return props.onOver();
      fail(error.message ?? noAnswer);
    } catch (error) {
      console.error('The card payment could not be confirmed', error);
      fail(noAnswer);
    }
    busy.current = false;
    setProcessing(false);
  }

  /** The toast announces it, but soon disappears. */
  function fail(description: string) {
    setFailure(description);
    toast({ title: 'Payment Failed', description, variant: 'destructive' });
  }

  return (
    <form onSubmit={(event) => void pay(event)}>
      <div className="min-h-[228px]">
        <PaymentElement
          options={{
            layout: 'tabs',
            defaultValues: {
              billingDetails: { name: details.customerName.trim(), email: details.customerEmail.trim() },
            },
          }}
          onReady={() => setReady(true)}
          onLoadError={({ error }) => {
            console.error('The card form could not be loaded', error);
            props.onBroken();
          }}
        />
      </div>
      {failure && <p className="mt-4 text-sm text-error">{failure}</p>}
      <Button
        type="submit"
        disabled={!ready}
        pending={processing}
        pendingLabel="Processing..."
        className="mt-6 w-full"
      >
        Complete Payment
      </Button>
    </form>
  );
}

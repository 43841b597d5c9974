import { lazy, Suspense, useRef } from 'react';
import { type ServiceSlug, serviceBySlug } from '../../../core/catalogue.ts';
import { formatMoney } from '../../../core/money.ts';
import type { PaymentMethod } from '../../../core/orders.ts';
import { Button } from '../../components/ui/button.tsx';
import { Skeleton } from '../../components/ui/skeleton.tsx';
import { Unbroken } from '../../components/ui/unbroken.tsx';
import { pricing } from '../../content/pricing.ts';
import { CardSkeleton } from './card-skeleton.tsx';
import { CheckoutProblem } from './checkout-problem.tsx';
import { CheckoutTabs } from './checkout-tabs.tsx';
import { DetailsForm } from './details-form.tsx';
import { OrderSummary } from './order-summary.tsx';
import { TestCards } from './test-cards.tsx';
import type { Checkout } from './use-checkout.ts';
import { usePreparedProviders } from './use-prepared-providers.ts';
import { useStepFocus } from './use-step-focus.ts';

const StripePayment = lazy(async () => ({ default: (await import('./stripe-payment.tsx')).StripePayment }));
const PaypalPayment = lazy(async () => ({ default: (await import('./paypal-payment.tsx')).PaypalPayment }));

export function PaymentSection({ checkout }: { checkout: Checkout }) {
  const section = useRef<HTMLElement>(null);
  usePreparedProviders(section);
  return (
    <section
      ref={section}
      id="payment"
      aria-labelledby="payment-title"
      className="border-t border-line bg-sunken"
    >
      <div className="content py-16 lg:py-24">
        <h2 id="payment-title" className="text-3xl">
          {pricing.payment.title}
        </h2>
        <p className="mt-3 max-w-[34em] text-muted">
          <Unbroken>{pricing.payment.lead}</Unbroken>
        </p>
        <div className="mt-10 grid grid-cols-1 items-start gap-8 lg:grid-cols-[minmax(0,1.1fr)_minmax(0,1fr)] lg:gap-12">
          <div className="card needs-script rounded-card border border-line bg-surface p-5 shadow-raised sm:p-8">
            <CheckoutTabs method={checkout.method} onChoose={checkout.chooseMethod}>
              <p aria-live="polite" className="sr-only">
                {announcementOf(checkout)}
              </p>
              {checkout.problem && <CheckoutProblem problem={checkout.problem} />}
              <CheckoutStep checkout={checkout} />
            </CheckoutTabs>
          </div>
          <noscript>
            <p className="rounded-card border border-line bg-surface p-6">
              Paying online needs JavaScript. With it switched off, write to us and we send you an invoice
              instead.
            </p>
          </noscript>
          <OrderSummary service={checkout.details.service} price={checkout.price} />
        </div>
      </div>
    </section>
  );
}

function CheckoutStep({ checkout }: { checkout: Checkout }) {
  const { order, details, preparing } = checkout;
  if (details.service === '' || !(order || preparing)) {
    return checkout.isAdopted ? <Proceed checkout={checkout} /> : <DetailsForm checkout={checkout} />;
  }
  const cents = checkout.price ?? serviceBySlug(details.service).price;
  return (
    <div>
      <StepHead checkout={checkout} service={details.service} cents={cents} />
      {order ? (
        <Suspense fallback={<CardSkeleton />}>
          {order.method === 'stripe' ? (
            <>
              <TestCards />
              <StripePayment
                key={order.clientSecret}
                order={order}
                details={details}
                onOver={checkout.renew}
              />
            </>
          ) : (
            <PaypalPayment
              key={order.orderId}
              orderId={order.orderId}
              cents={cents}
              onOver={checkout.renew}
            />
          )}
        </Suspense>
      ) : (
        <PaymentSkeleton method={preparing} />
      )}
    </div>
  );
}

function PaymentSkeleton({ method }: { method: PaymentMethod | null }) {
  if (method === 'stripe') return <CardSkeleton />;
  return <Skeleton className="mb-20 h-12 w-full" />;
}

/** The focus stays on the tab that was pressed, so that what follows is announced. */
function announcementOf({ order, preparing }: Checkout): string {
  if (preparing) return 'Preparing the payment...';
  if (!order) return '';
  return order.method === 'stripe' ? 'Payment by card' : 'Payment with PayPal';
}

function Proceed({ checkout }: { checkout: Checkout }) {
  const button = useStepFocus<HTMLButtonElement>(checkout.focusOn, 'payment');
  return (
    <Button ref={button} className="w-full" onClick={checkout.continueToPayment}>
      Continue to Payment
    </Button>
  );
}

/** Keeps what is bought, and for whom, in sight of the pay button on a phone. */
function StepHead(props: { checkout: Checkout; service: ServiceSlug; cents: number }) {
  const { details, order, isAdopted, editDetails, focusOn } = props.checkout;
  const { name } = serviceBySlug(props.service);
  const heading = useStepFocus<HTMLHeadingElement>(focusOn, 'payment', order !== undefined);
  return (
    <>
      <h3
        ref={heading}
        tabIndex={-1}
        className="sticky top-[var(--header-height)] z-10 -mx-px -mt-2 flex flex-wrap items-baseline justify-between gap-x-4 bg-surface px-px py-2 tracking-normal lg:static"
      >
        <span>{name}</span> <span className="figure">{formatMoney(props.cents)}</span>
      </h3>
      <div className="mb-6 flex flex-wrap items-start justify-between gap-x-4 gap-y-1 border-b border-line pb-4 text-sm">
        <p className="min-w-0 wrap-anywhere text-muted">
          {details.customerName}
          <span className="block">{details.customerEmail}</span>
        </p>
        {!isAdopted && (
          <button type="button" className="link shrink-0" onClick={editDetails}>
            Change details
          </button>
        )}
      </div>
    </>
  );
}

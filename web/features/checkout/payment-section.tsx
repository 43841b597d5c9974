import { lazy, Suspense, useRef } from 'react';
import { serviceBySlug } from '../../../core/catalogue.ts';
import { pricing } from '../../content/pricing.ts';
import { CardSkeleton } from './card-skeleton.tsx';
import { CheckoutProblem } from './checkout-problem.tsx';
import { CheckoutTabs } from './checkout-tabs.tsx';
import { DetailsForm } from './details-form.tsx';
import { OrderSummary } from './order-summary.tsx';
import { TestCards } from './test-cards.tsx';
import type { Checkout } from './use-checkout.ts';
import { usePreparedProviders } from './use-prepared-providers.ts';

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
        <p className="mt-3 max-w-prose text-muted">{pricing.payment.lead}</p>
        <div className="mt-10 grid items-start gap-8 lg:grid-cols-[1.1fr_1fr] lg:gap-12">
          <div className="card needs-script rounded-card border border-line bg-surface p-5 shadow-raised sm:p-8">
            <CheckoutTabs method={checkout.method} onChoose={checkout.chooseMethod}>
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
  const { order, details } = checkout;
  if (!order || details.service === '') return <DetailsForm checkout={checkout} />;
  return (
    <div>
      <div className="mb-6 flex items-start justify-between gap-4 border-b border-line pb-4 text-sm">
        <p className="min-w-0">
          <span className="block truncate font-medium">{details.customerName}</span>
          <span className="block truncate text-muted">{details.customerEmail}</span>
        </p>
        <button type="button" className="link shrink-0" onClick={checkout.editDetails}>
          Change details
        </button>
      </div>
      <Suspense fallback={<CardSkeleton />}>
        {order.method === 'stripe' ? (
          <>
            <TestCards />
            <StripePayment key={order.clientSecret} order={order} details={details} />
          </>
        ) : (
          <PaypalPayment
            key={order.orderId}
            orderId={order.orderId}
            cents={checkout.price ?? serviceBySlug(details.service).price}
            onOver={checkout.renew}
          />
        )}
      </Suspense>
    </div>
  );
}

import { useCallback } from 'react';
import type { ServiceSlug } from '../../core/catalogue.ts';
import { PageIntro } from '../components/page-intro.tsx';
import { pricing } from '../content/pricing.ts';
import { PaymentSection } from '../features/checkout/payment-section.tsx';
import { PlanCards } from '../features/checkout/plan-cards.tsx';
import { useCheckout } from '../features/checkout/use-checkout.ts';
import { useRequestedOrder } from '../features/checkout/use-requested-order.ts';
import { useRequestedService } from '../features/checkout/use-requested-service.ts';
import { withServerState } from '../lib/server-state.tsx';

export const PricingPage = withServerState(function PricingPage() {
  const checkout = useCheckout();
  const { change } = checkout;
  const choose = useCallback((service: ServiceSlug) => change({ service }), [change]);
  useRequestedService(change);
  useRequestedOrder(checkout);
  return (
    <>
      <PageIntro title={pricing.title}>{pricing.lead}</PageIntro>
      <PlanCards onChoose={choose} />
      <PaymentSection checkout={checkout} />
    </>
  );
});

import { useEffect } from 'react';
import { useSearchParams } from 'react-router-dom';
import { serviceSlugs } from '../../../core/catalogue.ts';
import { ApiError, get } from '../../lib/api-client.ts';
import { api } from '../../lib/api-paths.ts';
import { type Attempt, attemptForOrder, restoreAttempt } from '../../lib/checkout-attempt.ts';
import type { CheckoutProblem } from './refusal.ts';
import type { Checkout } from './use-checkout.ts';

/** Opens the payment of the order in the query, or says why it cannot be paid, and scrolls to it. */
export function useRequestedOrder({ adopt, report }: Checkout): void {
  const orderId = useSearchParams()[0].get('order');
  useEffect(() => {
    if (!orderId) return;
    let left = false;
    open(orderId);
    return () => {
      left = true;
    };

    function open(id: string) {
      report(undefined);
      void attemptFor(id).then(show(adopt), (error) => show(report)(problemOf(id, error)));
    }

    function show<Found>(apply: (found: Found) => void) {
      return (found: Found | undefined) => {
        if (left || !found) return;
        apply(found);
        document.getElementById('payment')?.scrollIntoView({ behavior: 'instant' });
      };
    }

    function problemOf(id: string, error: unknown): CheckoutProblem {
      const isUnknown = error instanceof ApiError && (error.status === 404 || error.status === 400);
      if (isUnknown) return { text: 'We cannot find this order. You can place a new one here.', orderId: id };
      return {
        text: 'Your order could not be loaded. Please try again in a moment.',
        orderId: null,
        onRetry: () => open(id),
      };
    }
  }, [orderId, adopt, report]);
}

/** Undefined if its payment is open already. @throws ApiError if the order is unknown; TypeError without an answer */
async function attemptFor(orderId: string): Promise<Attempt | undefined> {
  const own = restoreAttempt();
  if (own?.orderId === orderId) return own.paying ? undefined : { ...own, paying: 'stripe' };
  const [{ orderView }, { serviceView }] = await Promise.all([
    import('../../../core/orders.ts'),
    import('../../../core/services.ts'),
  ]);
  const order = orderView.parse(await get(`${api.orders}/${encodeURIComponent(orderId)}`));
  const { slug } = serviceView.parse(await get(`${api.services}/${order.serviceId}`));
  const service = serviceSlugs.find((known) => known === slug);
  if (!service) return undefined;
  const { customerEmail, amount: price, paymentMethod: paying } = order;
  return attemptForOrder(orderId, { service, customerEmail, price, paying });
}

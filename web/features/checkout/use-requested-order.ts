import { useEffect } from 'react';
import { useSearchParams } from 'react-router-dom';
import { serviceSlugs } from '../../../core/catalogue.ts';
import { get } from '../../lib/api-client.ts';
import { api } from '../../lib/api-paths.ts';
import { type Attempt, attemptForOrder, restoreAttempt } from '../../lib/checkout-attempt.ts';
import type { Checkout } from './use-checkout.ts';

/** Opens the payment of the order in the query, and scrolls to it. */
export function useRequestedOrder(adopt: Checkout['adopt']): void {
  const orderId = useSearchParams()[0].get('order');
  useEffect(() => {
    if (!orderId) return;
    let left = false;
    void attemptFor(orderId).then((attempt) => {
      if (left || !attempt) return;
      adopt(attempt);
      document.getElementById('payment')?.scrollIntoView({ behavior: 'instant' });
    });
    return () => {
      left = true;
    };
  }, [orderId, adopt]);
}

/** Undefined if the order is unknown or the server does not answer: the checkout then begins as always. */
async function attemptFor(orderId: string): Promise<Attempt | undefined> {
  const own = restoreAttempt();
  if (own?.orderId === orderId) return own.paying ? undefined : { ...own, paying: 'stripe' };
  try {
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
  } catch {
    return undefined;
  }
}

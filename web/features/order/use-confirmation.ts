import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { paymentConfirmed } from '../../../core/orders.ts';
import { post } from '../../lib/api-client.ts';
import { api } from '../../lib/api-paths.ts';
import { orderQuery } from './order-queries.ts';

/** Reports the return from the card provider, once. If it fails, the webhook reports the same. */
export function useConfirmation(orderId: string | null, paymentIntentId: string | null): void {
  const queryClient = useQueryClient();
  const sent = useRef(false);
  const { mutate } = useMutation({
    mutationFn: async (ids: { orderId: string; paymentIntentId: string }) =>
      paymentConfirmed.parse(await post(api.confirmPayment, ids)),
    onSuccess: (_answer, ids) => queryClient.invalidateQueries(orderQuery(ids.orderId)),
    onSettled: dropSecrets,
  });
  useEffect(() => {
    if (!orderId || !paymentIntentId || sent.current) return;
    sent.current = true;
    mutate({ orderId, paymentIntentId });
  }, [orderId, paymentIntentId, mutate]);
}

/** The provider's return address carries the payment's client secret, which must not stay in history or on paper. */
function dropSecrets(): void {
  const url = new URL(window.location.href);
  for (const name of ['payment_intent_client_secret', 'redirect_status']) url.searchParams.delete(name);
  window.history.replaceState(window.history.state, '', url);
}

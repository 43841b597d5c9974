import { queryOptions } from '@tanstack/react-query';
import type { OrderAction } from '../../../core/desk-actions.ts';
import { deskOrder, mailText } from '../../../core/desk-order.ts';
import { get, post, request } from '../../lib/api-client.ts';
import { deskApi } from './desk-paths.ts';

/** `isBackground`: the page asks on its own, which does not keep the session alive. */
export async function readDeskOrder(
  id: string,
  { isBackground = false, signal }: { isBackground?: boolean; signal?: AbortSignal } = {},
) {
  const headers: Record<string, string> = isBackground ? { 'x-background': '1' } : {};
  return deskOrder.parse(await request('GET', deskApi.order(id), { headers, ...(signal && { signal }) }));
}

export const deskOrderQuery = (id: string) =>
  queryOptions({
    queryKey: [deskApi.order(id)],
    queryFn: ({ signal }) => readDeskOrder(id, { signal }),
    staleTime: 0,
  });

export const mailQuery = (orderId: string, emailId: string) =>
  queryOptions({
    queryKey: [deskApi.mail(orderId, emailId)],
    queryFn: async ({ signal }) => mailText.parse(await get(deskApi.mail(orderId, emailId), signal)).mail,
    staleTime: 0,
  });

export function act(orderId: string, wanted: OrderAction): Promise<unknown> {
  return post(deskApi.actions(orderId), wanted);
}

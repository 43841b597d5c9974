import { queryOptions } from '@tanstack/react-query';
import { deskOrder, mailText } from '../../../core/desk-order.ts';
import { get } from '../../lib/api-client.ts';
import { deskApi } from './desk-api.ts';

export const deskOrderQuery = (id: string) =>
  queryOptions({
    queryKey: [deskApi.order(id)],
    queryFn: async ({ signal }) => deskOrder.parse(await get(deskApi.order(id), signal)),
    staleTime: 0,
  });

export const mailQuery = (orderId: string, emailId: string) =>
  queryOptions({
    queryKey: [deskApi.mail(orderId, emailId)],
    queryFn: async ({ signal }) => mailText.parse(await get(deskApi.mail(orderId, emailId), signal)).mail,
    staleTime: 0,
  });

import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { enrollmentPage, messagePage, newsletterFigures } from '../../../core/desk-people.ts';
import { recordPage } from '../../../core/desk-record.ts';
import { get, post } from '../../lib/api-client.ts';
import { deskApi } from './desk-api.ts';

const paged = {
  initialPageParam: '',
  getNextPageParam: (page: { next: string | null }) => page.next,
  staleTime: 0,
};
const after = (place: unknown) => (place ? { after: place } : {});

export const messagesQuery = (open: boolean) =>
  infiniteQueryOptions({
    ...paged,
    queryKey: [deskApi.messages, open],
    queryFn: async ({ pageParam }) =>
      messagePage.parse(await post(deskApi.messages, { open, ...after(pageParam) })),
  });

export const enrollmentsQuery = infiniteQueryOptions({
  ...paged,
  queryKey: [deskApi.enrollments],
  queryFn: async ({ pageParam }) => enrollmentPage.parse(await post(deskApi.enrollments, after(pageParam))),
});

export const recordQuery = infiniteQueryOptions({
  ...paged,
  queryKey: [deskApi.record],
  queryFn: async ({ pageParam }) => recordPage.parse(await post(deskApi.record, after(pageParam))),
});

export const newsletterQuery = queryOptions({
  queryKey: [deskApi.newsletter],
  queryFn: async ({ signal }) => newsletterFigures.parse(await get(deskApi.newsletter, signal)),
  staleTime: 0,
});

/** Addresses of the desk, apart from the site's: visitors download none of them. */
export const deskHome = '/desk';

export const deskPages = {
  today: '/',
  orders: '/orders',
  people: '/people',
  record: '/record',
  order: (id: string) => `/orders/${id}`,
} as const;

/** Leads to a page of the desk through the sign-in: without a session the desk is 404. */
export function deskEntryFor(page: string): string {
  return `/api/login?${new URLSearchParams({ returnTo: page === deskPages.today ? deskHome : deskHome + page })}`;
}

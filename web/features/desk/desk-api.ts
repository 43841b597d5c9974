/** The desk's calls. Visitors download none of them. */
export const deskApi = {
  me: '/api/desk/me',
  today: '/api/desk/today',
  orders: '/api/desk/orders/list',
  exportOrders: '/api/desk/orders/export',
  orderChanges: '/api/desk/orders/events',
  weeks: '/api/desk/weeks',
  messages: '/api/desk/messages/list',
  answered: (messageId: string) => `/api/desk/messages/${messageId}/answered`,
  record: '/api/desk/record/list',
  enrollments: '/api/desk/enrollments/list',
  newsletter: '/api/desk/newsletter',
  exportNewsletter: '/api/desk/newsletter/export',
  exportPerson: '/api/desk/person/export',
  erasePerson: '/api/desk/person/erase',
  order: (id: string) => `/api/desk/orders/${id}`,
  actions: (id: string) => `/api/desk/orders/${id}/actions`,
  job: (jobId: string) => `/api/desk/jobs/${jobId}/actions`,
  dismissTransfer: (transferId: string) => `/api/desk/transfers/${transferId}/dismiss`,
  dismissEmail: (emailId: string) => `/api/desk/emails/${emailId}/dismiss`,
  resendEmail: (emailId: string) => `/api/desk/emails/${emailId}/resend`,
  mail: (orderId: string, emailId: string) => `/api/desk/orders/${orderId}/emails/${emailId}`,
} as const;

/**
 * Signs in again and returns to this page with the action `name` open. `fresh` makes the provider ask for credentials, whatever
 * it remembers.
 */
export function signInAgain({ fresh = false, name = '' } = {}): string {
  const { pathname, search } = window.location;
  const query = new URLSearchParams({
    returnTo: pathname + search + (name && `#${name}`),
    ...(fresh ? { fresh: '1' } : {}),
  });
  return `/api/login?${query}`;
}

import type { ServiceSlug } from '../../core/catalogue.ts';

/** Addresses of the site's pages (spec §2): the only place that spells them. */
export const paths = {
  home: '/',
  homeServices: '/#services',
  homeContact: '/#contact',
  about: '/about',
  services: '/services',
  pricing: '/pricing',
  payment: '/pricing#payment',
  contact: '/contact',
  enroll: '/enroll',
  success: '/success',
  newsletterConfirm: '/newsletter/confirm',
  newsletterUnsubscribe: '/newsletter/unsubscribe',
} as const;

/** Each service's own page. */
export const servicePaths: Record<ServiceSlug, string> = {
  audit: '/services/database-audit',
  design: '/services/schema-design',
  optimization: '/services/optimization',
  migration: '/services/migration-planning',
};

/** The return from enrollment, with the plan that was chosen before it. */
export function pricingFor(serviceId: string): string {
  return `${paths.pricing}?service=${encodeURIComponent(serviceId)}`;
}

/** Where a payment ends. */
export function successFor(orderId: string): string {
  return `${paths.success}?orderId=${encodeURIComponent(orderId)}`;
}

/** Addresses of the API's calls (spec §7). */
export const api = {
  currentUser: '/api/auth/user',
  login: '/api/login',
  logout: '/api/logout',
  config: '/api/config',
  services: '/api/services',
  contact: '/api/contact',
  subscribe: '/api/newsletter/subscribe',
  confirmSubscription: '/api/newsletter/confirm',
  unsubscribe: '/api/newsletter/unsubscribe',
  createPaymentIntent: '/api/create-payment-intent',
  confirmPayment: '/api/confirm-payment',
  createPaypalOrder: '/api/create-paypal-order',
  paypalSetup: '/api/paypal/setup',
  paypalOrder: '/api/paypal/order',
  confirmPaypalPayment: '/api/confirm-paypal-payment',
  orders: '/api/orders',
  enrollment: '/api/enrollment',
} as const;

export const paypalCapturePath = (paypalOrderId: string) =>
  `${api.paypalOrder}/${encodeURIComponent(paypalOrderId)}/capture`;
export const orderEventsPath = (orderId: string) => `${api.orders}/${encodeURIComponent(orderId)}/events`;

/** Back to the checkout for another try at paying, with the service chosen where it is known. */
export function payAgainFor(service: ServiceSlug | undefined): string {
  return service ? pricingFor(service) : paths.payment;
}

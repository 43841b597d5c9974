import type { ServiceSlug } from './catalogue.ts';

/** Addresses of the site's pages: the only place that spells them. */
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
  account: '/account',
  success: '/success',
  newsletterConfirm: '/newsletter/confirm',
  newsletterUnsubscribe: '/newsletter/unsubscribe',
} as const;

export const servicePaths: Record<ServiceSlug, string> = {
  audit: '/services/database-audit',
  design: '/services/schema-design',
  optimization: '/services/optimization',
  migration: '/services/migration-planning',
};

/** Pricing with a service chosen, by id or slug. */
export function pricingFor(service: string): string {
  return withQuery(paths.pricing, { service });
}

export function checkoutFor(service: string | undefined): string {
  return service ? `${pricingFor(service)}#payment` : paths.payment;
}

export function paymentFor(order: string): string {
  return `${withQuery(paths.pricing, { order })}#payment`;
}

export function successFor(orderId: string): string {
  return withQuery(paths.success, { orderId });
}

export function newsletterConfirmFor(token: string): string {
  return withQuery(paths.newsletterConfirm, { token });
}

export function newsletterUnsubscribeFor(token: string): string {
  return withQuery(paths.newsletterUnsubscribe, { token });
}

/** RFC 8058's one click: a call, not a page. */
export function oneClickUnsubscribeFor(token: string): string {
  return withQuery('/api/newsletter/unsubscribe', { token });
}

function withQuery(path: string, query: Record<string, string>): string {
  return `${path}?${new URLSearchParams(query)}`;
}

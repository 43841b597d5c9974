import { type ComponentType, lazy } from 'react';
import { paths, servicePaths } from '../core/paths.ts';

/** A page whose code is fetched on demand, or beforehand by `preload` so that it renders without waiting. */
export interface LazyPage {
  preload: () => Promise<void>;
  /** The page itself, once it has been fetched. */
  fetched: () => ComponentType | undefined;
  /** The page as React waits for it. */
  Waiting: ComponentType;
}

interface SiteRoute extends LazyPage {
  path: string;
}

function lazyPage(load: () => Promise<ComponentType>): LazyPage {
  let page: ComponentType | undefined;
  const fetchPage = async () => {
    page ??= await load();
    return { default: page };
  };
  return {
    preload: async () => void (await fetchPage()),
    fetched: () => page,
    Waiting: lazy(fetchPage),
  };
}

/** The one route table (spec §2), used by the browser and by the prerenderer. */
const routes: readonly SiteRoute[] = [
  { path: paths.home, ...lazyPage(async () => (await import('./pages/home.tsx')).HomePage) },
  { path: paths.about, ...lazyPage(async () => (await import('./pages/about.tsx')).AboutPage) },
  { path: paths.services, ...lazyPage(async () => (await import('./pages/services.tsx')).ServicesPage) },
  {
    path: servicePaths.audit,
    ...lazyPage(async () => (await import('./pages/database-audit.tsx')).DatabaseAuditPage),
  },
  {
    path: servicePaths.design,
    ...lazyPage(async () => (await import('./pages/schema-design.tsx')).SchemaDesignPage),
  },
  {
    path: servicePaths.optimization,
    ...lazyPage(async () => (await import('./pages/optimization.tsx')).OptimizationPage),
  },
  {
    path: servicePaths.migration,
    ...lazyPage(async () => (await import('./pages/migration-planning.tsx')).MigrationPlanningPage),
  },
  { path: paths.pricing, ...lazyPage(async () => (await import('./pages/pricing.tsx')).PricingPage) },
  { path: paths.contact, ...lazyPage(async () => (await import('./pages/contact.tsx')).ContactPage) },
  { path: paths.enroll, ...lazyPage(async () => (await import('./pages/enroll.tsx')).EnrollPage) },
  { path: paths.success, ...lazyPage(async () => (await import('./pages/success.tsx')).SuccessPage) },
  {
    path: paths.newsletterConfirm,
    ...lazyPage(async () => (await import('./pages/newsletter-confirm.tsx')).NewsletterConfirmPage),
  },
  {
    path: paths.newsletterUnsubscribe,
    ...lazyPage(async () => (await import('./pages/newsletter-unsubscribe.tsx')).NewsletterUnsubscribePage),
  },
];

const notFound: LazyPage = lazyPage(async () => (await import('./pages/not-found.tsx')).NotFoundPage);

const withoutTrailingSlash = (path: string) => (path.length > 1 ? path.replace(/\/+$/, '') : path);

/** The route of an address, query and anchor aside; the 404 page where there is none. */
export function routeFor(address: string): LazyPage {
  const path = withoutTrailingSlash(address.split(/[?#]/)[0] ?? '');
  return routes.find((route) => route.path === path) ?? notFound;
}

/** Fetches a page's code ahead of a visit. A failure is left to the visit itself to report. */
export function preloadPage(address: string): void {
  routeFor(address)
    .preload()
    .catch(() => undefined);
}

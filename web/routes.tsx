import { type ComponentType, lazy, useState } from 'react';
import { matchRoutes, type RouteObject, useRoutes } from 'react-router-dom';
import { paths, servicePaths } from '../core/paths.ts';
import { track } from './lib/pending.ts';

const routes = [
  page(paths.home, () => import('./pages/home.tsx'), 'HomePage'),
  page(paths.about, () => import('./pages/about.tsx'), 'AboutPage'),
  page(paths.services, () => import('./pages/services.tsx'), 'ServicesPage'),
  page(servicePaths.audit, () => import('./pages/database-audit.tsx'), 'DatabaseAuditPage'),
  page(servicePaths.design, () => import('./pages/schema-design.tsx'), 'SchemaDesignPage'),
  page(servicePaths.optimization, () => import('./pages/optimization.tsx'), 'OptimizationPage'),
  page(servicePaths.migration, () => import('./pages/migration-planning.tsx'), 'MigrationPlanningPage'),
  page(paths.pricing, () => import('./pages/pricing.tsx'), 'PricingPage'),
  page(paths.contact, () => import('./pages/contact.tsx'), 'ContactPage'),
  page(paths.enroll, () => import('./pages/enroll.tsx'), 'EnrollPage'),
  page(paths.account, () => import('./pages/account.tsx'), 'AccountPage'),
  page(paths.success, () => import('./pages/success.tsx'), 'SuccessPage'),
  page(paths.newsletterConfirm, () => import('./pages/newsletter-confirm.tsx'), 'NewsletterConfirmPage'),
  page(
    paths.newsletterUnsubscribe,
    () => import('./pages/newsletter-unsubscribe.tsx'),
    'NewsletterUnsubscribePage',
  ),
  page('*', () => import('./pages/not-found.tsx'), 'NotFoundPage'),
];

type PageRoute = RouteObject & { handle: { preload: () => Promise<unknown> } };

function page<Name extends string>(
  path: string,
  load: () => Promise<Record<Name, ComponentType>>,
  name: Name,
): PageRoute {
  let loaded: ComponentType | undefined;
  const preload = async () => {
    loaded ??= (await load())[name];
    return { default: loaded };
  };
  const Lazy = lazy(() => track(preload()));
  /** Does not suspend once its code has arrived, as `lazy` would for a moment. */
  function LoadedOrLazy() {
    const [Content] = useState(() => loaded ?? Lazy);
    return <Content />;
  }
  return { path, element: <LoadedOrLazy />, handle: { preload } };
}

/** The current page. Suspends until its code has arrived. */
export function Page() {
  return useRoutes(routes);
}

/** Fetches a page's code ahead of a visit. The visit itself reports a failure. */
export async function preloadPage(address: string): Promise<void> {
  const route = matchRoutes(routes, address)?.at(-1)?.route as PageRoute | undefined;
  await route?.handle.preload().catch(() => undefined);
}

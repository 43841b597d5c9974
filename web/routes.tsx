import { type ComponentType, lazy, type ReactNode, useState } from 'react';
import { createRoutesFromElements, matchRoutes, Route, useRoutes } from 'react-router-dom';
import { paths, servicePaths } from '../core/paths.ts';
import { track } from './lib/pending.ts';

const routes = createRoutesFromElements(
  <>
    <Route path={paths.home} {...page(async () => (await import('./pages/home.tsx')).HomePage)} />
    <Route path={paths.about} {...page(async () => (await import('./pages/about.tsx')).AboutPage)} />
    <Route path={paths.services} {...page(async () => (await import('./pages/services.tsx')).ServicesPage)} />
    <Route
      path={servicePaths.audit}
      {...page(async () => (await import('./pages/database-audit.tsx')).DatabaseAuditPage)}
    />
    <Route
      path={servicePaths.design}
      {...page(async () => (await import('./pages/schema-design.tsx')).SchemaDesignPage)}
    />
    <Route
      path={servicePaths.optimization}
      {...page(async () => (await import('./pages/optimization.tsx')).OptimizationPage)}
    />
    <Route
      path={servicePaths.migration}
      {...page(async () => (await import('./pages/migration-planning.tsx')).MigrationPlanningPage)}
    />
    <Route path={paths.pricing} {...page(async () => (await import('./pages/pricing.tsx')).PricingPage)} />
    <Route path={paths.contact} {...page(async () => (await import('./pages/contact.tsx')).ContactPage)} />
    <Route path={paths.enroll} {...page(async () => (await import('./pages/enroll.tsx')).EnrollPage)} />
    <Route path={paths.account} {...page(async () => (await import('./pages/account.tsx')).AccountPage)} />
    <Route path={paths.success} {...page(async () => (await import('./pages/success.tsx')).SuccessPage)} />
    <Route
      path={paths.newsletterConfirm}
      {...page(async () => (await import('./pages/newsletter-confirm.tsx')).NewsletterConfirmPage)}
    />
    <Route
      path={paths.newsletterUnsubscribe}
      {...page(async () => (await import('./pages/newsletter-unsubscribe.tsx')).NewsletterUnsubscribePage)}
    />
    <Route path="*" {...page(async () => (await import('./pages/not-found.tsx')).NotFoundPage)} />
  </>,
);

interface PageHandle {
  preload: () => Promise<unknown>;
}

function page(load: () => Promise<ComponentType>): { element: ReactNode; handle: PageHandle } {
  let loaded: ComponentType | undefined;
  const preload = async () => {
    loaded ??= await load();
    return { default: loaded };
  };
  const Lazy = lazy(() => track(preload()));
  /** Does not suspend once its code has arrived, as `lazy` would for a moment. */
  function LoadedOrLazy() {
    const [Content] = useState(() => loaded ?? Lazy);
    return <Content />;
  }
  return { element: <LoadedOrLazy />, handle: { preload } };
}

/** The current page. Suspends until its code has arrived. */
export function Page() {
  return useRoutes(routes);
}

/** Fetches a page's code ahead of a visit. The visit itself reports a failure. */
export async function preloadPage(address: string): Promise<void> {
  const handle = matchRoutes(routes, address)?.at(-1)?.route.handle as PageHandle | undefined;
  await handle?.preload().catch(() => undefined);
}

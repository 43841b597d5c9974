import { type ReactNode, Suspense } from 'react';
import { useLocation } from 'react-router-dom';
import { PageBoundary } from './layout/page-boundary.tsx';
import { SiteLayout } from './layout/site-layout.tsx';
import { needsOwnDocument } from './lib/checkout-document.ts';
import { LinkRulesContext } from './lib/link-rules.ts';
import { Page, preloadPage } from './routes.tsx';

const linkRules = { preload: preloadPage, needsOwnDocument };

export function App({ children }: { children?: ReactNode }) {
  const { pathname } = useLocation();
  return (
    <LinkRulesContext value={linkRules}>
      <SiteLayout>
        <PageBoundary address={pathname}>
          <Suspense>
            <Page />
            {children}
          </Suspense>
        </PageBoundary>
      </SiteLayout>
    </LinkRulesContext>
  );
}

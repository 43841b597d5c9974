import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, Suspense, useState } from 'react';
import { useLocation } from 'react-router-dom';
import { PageBoundary } from './layout/page-boundary.tsx';
import { SiteLayout } from './layout/site-layout.tsx';
import { type LazyPage, routeFor } from './routes.tsx';

/**
 * The whole site but for its router, which differs between the browser and the prerenderer. `children` stand beside
 * the page, and come to life with it.
 */
export function App({ queryClient, children }: { queryClient: QueryClient; children?: ReactNode }) {
  const { pathname } = useLocation();
  return (
    <QueryClientProvider client={queryClient}>
      <SiteLayout>
        <PageBoundary address={pathname}>
          <Suspense fallback={null}>
            <PageSlot key={pathname} page={routeFor(pathname)} />
            {children}
          </Suspense>
        </PageBoundary>
      </SiteLayout>
    </QueryClientProvider>
  );
}

/**
 * A fetched page renders at once, as hydration needs it; another one is waited for. Which of the two is settled once
 * per visit: another component in its place would begin the page anew, with empty forms.
 */
function PageSlot({ page }: { page: LazyPage }) {
  const [Page] = useState(() => page.fetched() ?? page.Waiting);
  return <Page />;
}

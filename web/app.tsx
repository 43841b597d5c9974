import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { Suspense } from 'react';
import { Route, Routes, useLocation } from 'react-router-dom';
import { PageBoundary } from './layout/page-boundary.tsx';
import { SiteLayout } from './layout/site-layout.tsx';
import { type LazyPage, notFound, routes } from './routes.tsx';

/** The whole site but for its router, which differs between the browser and the prerenderer. */
export function App({ queryClient }: { queryClient: QueryClient }) {
  return (
    <QueryClientProvider client={queryClient}>
      <SiteLayout>
        <PageBoundary address={useLocation().pathname}>
          <Suspense fallback={null}>
            <Routes>
              {routes.map((page) => (
                <Route key={page.path} path={page.path} element={<PageSlot page={page} />} />
              ))}
              <Route path="*" element={<PageSlot page={notFound} />} />
            </Routes>
          </Suspense>
        </PageBoundary>
      </SiteLayout>
    </QueryClientProvider>
  );
}

/** A fetched page renders at once, as hydration needs it; another one is waited for. */
function PageSlot({ page }: { page: LazyPage }) {
  const Fetched = page.fetched();
  return Fetched ? <Fetched /> : <page.Waiting />;
}

import { prerender } from 'react-dom/static';
import { StaticRouter } from 'react-router-dom';
import { App } from './app.tsx';
import { createQueryClient } from './lib/query-client.ts';
import { routeFor } from './routes.tsx';

export { headOf, PUBLIC_URL } from './metadata/head.ts';
export { notFoundPage, pages } from './metadata/pages.ts';

/**
 * The HTML of one address, rendered through the routes that the browser uses.
 * @throws whatever a component threw: React would leave that part to the browser, and the build would not notice
 */
export async function renderPage(address: string): Promise<string> {
  await routeFor(address).preload();
  const errors: unknown[] = [];
  const { prelude } = await prerender(
    <StaticRouter location={address}>
      <App queryClient={createQueryClient()} />
    </StaticRouter>,
    {
      // Nothing may be streamed in later: that takes inline scripts, which the security policy forbids.
      progressiveChunkSize: Number.POSITIVE_INFINITY,
      onError: (error) => void errors.push(error),
    },
  );
  if (errors.length > 0) throw errors[0];
  return new Response(prelude).text();
}

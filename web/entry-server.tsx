import { prerender } from 'react-dom/static';
import { StaticRouter } from 'react-router-dom';
import { App } from './app.tsx';

export { headOf, PUBLIC_URL } from './metadata/head.ts';
export { notFoundPage, pages } from './metadata/pages.ts';

/** The HTML of one address, through the browser's routes. @throws any component's error */
export async function renderPage(address: string): Promise<string> {
  const errors: unknown[] = [];
  const { prelude } = await prerender(
    <StaticRouter location={address}>
      <App />
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

import { hydrateRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router-dom';
import { App } from './app.tsx';
import { createQueryClient } from './lib/query-client.ts';
import { routeFor } from './routes.tsx';

/** Takes over the prerendered page, once its own code is there. */
export async function start(container: HTMLElement): Promise<void> {
  await routeFor(window.location.pathname).preload();
  hydrateRoot(
    container,
    <BrowserRouter>
      <App queryClient={createQueryClient()} />
    </BrowserRouter>,
  );
}

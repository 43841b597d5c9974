import { hydrateRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router-dom';
import { App } from './app.tsx';
import { createQueryClient } from './lib/query-client.ts';
import { routeFor } from './routes.tsx';
import './styles/site.css';

// After a deployment the old pages' chunks are gone: a full load brings the new ones.
window.addEventListener('vite:preloadError', () => window.location.reload());

async function start(container: HTMLElement) {
  // The page's code must be there before its markup is hydrated.
  await routeFor(window.location.pathname).preload();
  hydrateRoot(
    container,
    <BrowserRouter>
      <App queryClient={createQueryClient()} />
    </BrowserRouter>,
  );
}

const container = document.getElementById('root');
if (container) void start(container);

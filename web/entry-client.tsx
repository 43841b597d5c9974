import { hydrateRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router-dom';
import { App } from './app.tsx';
import { remember } from './lib/browser.ts';
import { createQueryClient } from './lib/query-client.ts';
import { routeFor } from './routes.tsx';
import './styles/site.css';

const RELOADED = 'querywright.reloaded';

// After a deployment the old pages' chunks are gone: a full load brings the new ones, once. Without a connection it
// would bring nothing, so then the page that asked says what happened.
window.addEventListener('vite:preloadError', () => {
  const last = Number(remember.read('sessionStorage', RELOADED) ?? 0);
  if (!navigator.onLine || Date.now() - last < 60_000) return;
  remember.write('sessionStorage', RELOADED, String(Date.now()));
  window.location.reload();
});

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

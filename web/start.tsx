import { useEffect } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router-dom';
import { App } from './app.tsx';
import type { EarlyPress } from './lib/early-press.ts';
import { createQueryClient } from './lib/query-client.ts';
import { routeFor } from './routes.tsx';

/** Takes over the prerendered page, once its own code is there, and does what was asked of it before. */
export async function start(container: HTMLElement, earlyPress: EarlyPress): Promise<void> {
  await routeFor(window.location.pathname).preload();
  const page = (
    <BrowserRouter>
      <App queryClient={createQueryClient()}>
        <Alive then={earlyPress.repeat} />
      </App>
    </BrowserRouter>
  );
  hydrateRoot(container, page, {
    onCaughtError(error) {
      earlyPress.end();
      console.error(error);
    },
  });
}

/** Comes to life last of all, and lets the others show first what they took over of what was typed early. */
function Alive({ then }: { then: () => void }) {
  useEffect(() => {
    const soon = requestAnimationFrame(() => setTimeout(then));
    return () => cancelAnimationFrame(soon);
  }, [then]);
  return null;
}

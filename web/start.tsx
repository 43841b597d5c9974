import { useEffect } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router-dom';
import { App } from './app.tsx';
import type { EarlyClicks } from './lib/early-clicks.ts';
import { preloadPage } from './routes.tsx';

/**
 * Hydrates the prerendered page, then replays what was clicked before. Not before the page's code is there: React would
 * throw the prerendered page away if anything changed in the meantime, and with it the scroll position.
 */
export async function start(container: HTMLElement, earlyClicks: EarlyClicks): Promise<void> {
  await preloadPage(window.location.pathname);
  const page = (
    <BrowserRouter>
      <App>
        <AfterHydration then={earlyClicks.replay} />
      </App>
    </BrowserRouter>
  );
  hydrateRoot(container, page, {
    onCaughtError(error) {
      earlyClicks.stop();
      console.error(error);
    },
  });
}

/** Waits a frame, so that the page's own effects have picked up what was typed before hydration. */
function AfterHydration({ then }: { then: () => void }) {
  useEffect(() => {
    const frame = requestAnimationFrame(() => setTimeout(then));
    return () => cancelAnimationFrame(frame);
  }, [then]);
  return null;
}

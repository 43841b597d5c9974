import './lib/without-eval.ts';
import { remember } from './lib/browser-storage.ts';
import { replayEarlyClicks } from './lib/early-clicks.ts';
import './styles/site.css';

const RELOADED = 'querywright.reloaded';
/** For browsers that report no paint. */
const MAX_PAINT_MS = 1_000;

// After a deployment the old chunks are gone; one full load brings the new ones. Offline it would bring nothing, so
// the page's error boundary explains instead.
window.addEventListener('vite:preloadError', () => {
  const last = Number(remember.read('sessionStorage', RELOADED) ?? 0);
  if (!navigator.onLine || Date.now() - last < 60_000) return;
  remember.write('sessionStorage', RELOADED, String(Date.now()));
  window.location.reload();
});

/** The page is complete without script, so its code must compete with neither the first paint nor what it needs. */
function afterFirstPaint(then: () => void): void {
  let hasBegun = false;
  const onPaint = () => {
    if (!hasBegun) then();
    hasBegun = true;
  };
  // A hidden page is never painted.
  if (document.visibilityState === 'hidden') onPaint();
  // The entry comes once the frame is on the screen; a frame's callback runs before it.
  new PerformanceObserver(onPaint).observe({ type: 'paint', buffered: true });
  setTimeout(onPaint, MAX_PAINT_MS);
}

/** Fetches the page's own code in parallel with the site's. The build wrote the addresses into the page. */
function preloadPageCode(): void {
  const addresses: unknown = JSON.parse(document.getElementById('page-code')?.textContent ?? '[]');
  if (!Array.isArray(addresses)) return;
  for (const address of addresses) {
    const link = document.createElement('link');
    link.rel = 'modulepreload';
    link.href = String(address);
    document.head.append(link);
  }
}

const earlyClicks = replayEarlyClicks();
afterFirstPaint(() => {
  const container = document.getElementById('root');
  if (!container) return;
  preloadPageCode();
  void import('./start.tsx')
    .then(({ start }) => start(container, earlyClicks))
    .catch((error: unknown) => {
      earlyClicks.stop();
      throw error;
    });
});

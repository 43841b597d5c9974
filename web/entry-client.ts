import './lib/without-eval.ts';
import { remember } from './lib/browser-storage.ts';
import { replayEarlyClicks } from './lib/early-clicks.ts';
import './styles/site.css';

const RELOADED = 'querywright.reloaded';

// After a deployment the old chunks are gone; one full load brings the new ones. Offline it would bring nothing, so
// the page's error boundary explains instead.
window.addEventListener('vite:preloadError', () => {
  const last = Number(remember.read('sessionStorage', RELOADED) ?? 0);
  if (!navigator.onLine || Date.now() - last < 60_000) return;
  remember.write('sessionStorage', RELOADED, String(Date.now()));
  window.location.reload();
});

/** The page is complete without script, so hydration must not compete with its first paint. */
function afterFirstPaint(then: () => void): void {
  // A hidden page is never painted.
  if (document.visibilityState === 'hidden') then();
  else requestAnimationFrame(() => setTimeout(then));
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

import './lib/without-eval.ts';
import { remember } from './lib/browser-storage.ts';
import { keepEarlyPress } from './lib/early-press.ts';
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

/** The page is complete without us: nothing is fetched for its life before it has been painted. */
function afterFirstPaint(then: () => void): void {
  // A hidden page is not painted, and need not be waited for.
  if (document.visibilityState === 'hidden') then();
  else requestAnimationFrame(() => setTimeout(then));
}

/** Fetches the page's own code beside the site's, instead of after it. The build wrote its addresses into the page. */
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

const earlyPress = keepEarlyPress();
afterFirstPaint(() => {
  const container = document.getElementById('root');
  if (!container) return;
  preloadPageCode();
  void import('./start.tsx')
    .then(({ start }) => start(container, earlyPress))
    .catch((error: unknown) => {
      earlyPress.end();
      throw error;
    });
});

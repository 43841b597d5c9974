import { useEffect, useLayoutEffect, useRef } from 'react';
import { useLocation, useNavigationType } from 'react-router-dom';
import { titleOf } from '../metadata/titles.ts';

const positions = new Map<string, number>();
// React warns about layout effects on the server.
const useBrowserLayoutEffect = typeof window === 'undefined' ? useEffect : useLayoutEffect;

/** Title, scroll position and focus for navigation within the site, as on a full load. */
export function useNavigationEffects(): void {
  const { pathname, hash, key } = useLocation();
  const navigation = useNavigationType();
  const previous = useRef({ pathname, key });

  useEffect(() => {
    const savePosition = () => positions.set(key, window.scrollY);
    window.addEventListener('scroll', savePosition, { passive: true });
    return () => window.removeEventListener('scroll', savePosition);
  }, [key]);

  useBrowserLayoutEffect(() => {
    const before = previous.current;
    previous.current = { pathname, key };
    // On the first render the browser has already scrolled.
    if (before.key === key) return;
    const isNewPage = before.pathname !== pathname;
    if (isNewPage) document.title = titleOf(pathname);
    const saved = navigation === 'POP' ? positions.get(key) : undefined;
    if (saved !== undefined) window.scrollTo({ top: saved, behavior: 'instant' });
    else if (hash) scrollToAnchor(hash, isNewPage);
    else window.scrollTo({ top: 0, behavior: isNewPage ? 'instant' : 'auto' });
    if (isNewPage && !hash) document.getElementById('main')?.focus({ preventScroll: true });
  }, [pathname, hash, key, navigation]);
}

/** Focuses the anchor too, so that the next Tab continues from it. */
function scrollToAnchor(hash: string, isNewPage: boolean) {
  const target = document.getElementById(decodeURIComponent(hash.slice(1)));
  if (!target) return;
  target.scrollIntoView({ behavior: isNewPage ? 'instant' : 'auto' });
  if (!target.hasAttribute('tabindex')) target.setAttribute('tabindex', '-1');
  target.focus({ preventScroll: true });
}

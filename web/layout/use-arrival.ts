import { useEffect, useLayoutEffect, useRef } from 'react';
import { useLocation, useNavigationType } from 'react-router-dom';
import { titleOf } from '../metadata/titles.ts';

const positions = new Map<string, number>();
// React warns about layout effects where there is no layout.
const useBrowserLayoutEffect = typeof window === 'undefined' ? useEffect : useLayoutEffect;

/**
 * What a browser does on a full load, done for moves within the site: the title, the anchor or the top of the page,
 * the old position on the way back, and the focus at the start of the new page.
 */
export function useArrival(): void {
  const { pathname, hash, key } = useLocation();
  const navigation = useNavigationType();
  const arrived = useRef({ pathname, key });

  useEffect(() => {
    const keep = () => positions.set(key, window.scrollY);
    window.addEventListener('scroll', keep, { passive: true });
    return () => window.removeEventListener('scroll', keep);
  }, [key]);

  useBrowserLayoutEffect(() => {
    const before = arrived.current;
    arrived.current = { pathname, key };
    // The browser itself has scrolled the document it has just loaded.
    if (before.key === key) return;
    const moved = before.pathname !== pathname;
    if (moved) document.title = titleOf(pathname);
    const known = navigation === 'POP' ? positions.get(key) : undefined;
    if (known !== undefined) window.scrollTo({ top: known, behavior: 'instant' });
    else if (hash) goToAnchor(hash, moved);
    else window.scrollTo({ top: 0, behavior: moved ? 'instant' : 'auto' });
    if (moved && !hash) document.getElementById('main')?.focus({ preventScroll: true });
  }, [pathname, hash, key, navigation]);
}

/** Scrolls to an anchor and puts the focus there, so that the next Tab goes on from it. */
function goToAnchor(hash: string, fromAnotherPage: boolean) {
  const target = document.getElementById(decodeURIComponent(hash.slice(1)));
  if (!target) return;
  target.scrollIntoView({ behavior: fromAnotherPage ? 'instant' : 'auto' });
  if (!target.hasAttribute('tabindex')) target.setAttribute('tabindex', '-1');
  target.focus({ preventScroll: true });
}

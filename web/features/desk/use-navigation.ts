import { useEffect, useRef } from 'react';
import { matchPath, useLocation, useNavigationType } from 'react-router-dom';
import { deskPages } from '../../../core/desk-paths.ts';
import { endOfId } from './end-of-id.ts';

/** Title, scroll position and focus of each page, as on a full load. On the way back the browser restores the position. */
export function useNavigation(): void {
  const { pathname } = useLocation();
  const navigation = useNavigationType();
  const shown = useRef(pathname);
  useEffect(() => {
    document.title = `${titleOf(pathname)} - Desk - Querywright`;
    if (shown.current === pathname) return;
    shown.current = pathname;
    if (navigation === 'POP') return;
    window.scrollTo({ top: 0, behavior: 'instant' });
    const main = document.getElementById('main');
    // The search may have the focus already.
    if (!main?.contains(document.activeElement)) main?.focus({ preventScroll: true });
  }, [pathname, navigation]);
}

const titles: Record<string, string> = {
  [deskPages.today]: 'Today',
  [deskPages.orders]: 'Orders',
  [deskPages.people]: 'People',
  [deskPages.record]: 'Record',
};

/** An order has its id: titles are kept in the browser's history, where no name belongs. */
function titleOf(pathname: string): string {
  const order = matchPath(deskPages.order(':orderId'), pathname);
  if (order) return `Order ${endOfId(order.params.orderId ?? '')}`;
  const page = Object.keys(titles).find((path) => matchPath(path, pathname)) ?? '';
  return titles[page] ?? 'No such page';
}

import { useQuery } from '@tanstack/react-query';
import { useIdle } from '../lib/browser.ts';
import { isSandbox, siteConfigQuery } from '../lib/site-config.ts';

/** Says that no real money moves here. Covers the page's corner, so that nothing shifts when it appears. */
export function Ribbon() {
  const config = useQuery({ ...siteConfigQuery, enabled: useIdle() });
  if (!isSandbox(config.data)) return null;
  return (
    <aside
      aria-label="Test mode"
      className="no-print pointer-events-none fixed bottom-0 left-0 z-30 rounded-tr-card border-r border-t border-before bg-before-wash px-3 py-1 text-xs text-before"
    >
      <strong className="font-semibold">Test mode</strong>
      <span className="hidden sm:inline">: no real payment</span>. Card{' '}
      <span className="pointer-events-auto select-all font-mono">4242 4242 4242 4242</span>
    </aside>
  );
}

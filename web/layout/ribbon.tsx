import { useHydrated } from '../lib/browser.ts';
import { isSandbox } from '../lib/site-mode.ts';

/** In the flow above the header, so that it covers nothing; the stylesheet reserves its height in the sandbox. */
export function Ribbon() {
  const shown = useHydrated() && isSandbox();
  return (
    <div className="ribbon no-print">
      {shown && (
        <aside aria-label="Test mode" className="content py-1 text-xs text-before">
          <strong className="font-semibold">Test mode</strong>
          <span className="hidden sm:inline">: no real payment</span>. Card{' '}
          <span className="select-all font-mono">4242 4242 4242 4242</span>
        </aside>
      )}
    </div>
  );
}

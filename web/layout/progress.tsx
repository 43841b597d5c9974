import { useEffect, useState, useSyncExternalStore } from 'react';
import { pendingWork } from '../lib/pending.ts';

const SLOW_MS = 300;
const STUCK_MS = 10_000;

/** Shows that something is under way after 300 ms, and a way out after 10 s. */
export function Progress() {
  const pending = useSyncExternalStore(pendingWork.subscribe, pendingWork.isPending, () => false);
  const wait = useWait(pending);
  return (
    <div
      role="status"
      className="no-print pointer-events-none fixed inset-x-0 top-[var(--header-height)] z-50 flex justify-center px-4"
    >
      {wait !== 'short' && (
        <div
          role="progressbar"
          aria-label="Loading"
          className="progress fixed inset-x-0 top-0 h-0.5 bg-accent"
        />
      )}
      {wait === 'stuck' && <WayOut />}
    </div>
  );
}

function WayOut() {
  const canStop = pendingWork.canStop();
  return (
    <p className="pointer-events-auto mt-3 rounded-control bg-ink px-4 py-2 text-sm text-paper shadow-raised">
      This is taking longer than usual.{' '}
      <button
        type="button"
        className="underline underline-offset-4"
        onClick={canStop ? pendingWork.stop : () => window.location.reload()}
      >
        {canStop ? 'Stop waiting' : 'Reload the page'}
      </button>
    </p>
  );
}

function useWait(pending: boolean): 'short' | 'slow' | 'stuck' {
  const [wait, setWait] = useState<'short' | 'slow' | 'stuck'>('short');
  useEffect(() => {
    if (!pending) return;
    const slow = setTimeout(() => setWait('slow'), SLOW_MS);
    const stuck = setTimeout(() => setWait('stuck'), STUCK_MS);
    return () => {
      clearTimeout(slow);
      clearTimeout(stuck);
      setWait('short');
    };
  }, [pending]);
  return wait;
}

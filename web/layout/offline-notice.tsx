import { useOnline } from '../lib/browser.ts';

/** Overlays the page while the browser is offline. */
export function OfflineNotice() {
  const online = useOnline();
  return (
    <div
      role="status"
      className="no-print pointer-events-none fixed inset-x-0 top-[var(--header-height)] z-40 flex justify-center px-4"
    >
      {!online && (
        <p className="mt-3 rounded-control bg-ink px-4 py-2 text-sm text-paper shadow-raised">
          You are offline. What you have typed stays here until the connection is back.
        </p>
      )}
    </div>
  );
}

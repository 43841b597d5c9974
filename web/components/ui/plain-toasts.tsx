import { useEffect } from 'react';
import { dismissToast, type ShownToast, TOAST_DURATION_MS } from '../../lib/toast-store.ts';

/** Fallback for when the library's code could not be fetched: a live region that empties itself. */
export function PlainToasts({ toasts }: { toasts: readonly ShownToast[] }) {
  return (
    <div role="status" className="fixed inset-x-4 bottom-4 z-50 sm:left-auto sm:w-96">
      {toasts
        .filter((shown) => shown.open)
        .map((shown) => (
          <PlainToast key={shown.id} shown={shown} />
        ))}
    </div>
  );
}

function PlainToast({ shown }: { shown: ShownToast }) {
  useEffect(() => {
    const timer = setTimeout(() => dismissToast(shown.id), TOAST_DURATION_MS);
    return () => clearTimeout(timer);
  }, [shown.id]);
  return (
    <div className="rounded-card border border-line bg-surface p-4 shadow-raised">
      <p className="font-semibold">{shown.title}</p>
      {shown.description && <p className="mt-0.5 text-sm text-muted">{shown.description}</p>}
    </div>
  );
}

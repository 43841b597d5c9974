import { lazy, Suspense, useEffect, useSyncExternalStore } from 'react';
import { showCarriedNotice, toastStore } from '../../lib/toast-store.ts';

const ToastRegion = lazy(async () => ({ default: (await import('./toast-region.tsx')).ToastRegion }));

/** Where notices appear. The region's code is fetched with the first notice: most visits never need it. */
export function ToastOutlet() {
  const toasts = useSyncExternalStore(toastStore.subscribe, toastStore.get, toastStore.getOnServer);
  useEffect(showCarriedNotice, []);
  if (toasts.length === 0) return null;
  return (
    <Suspense fallback={null}>
      <ToastRegion toasts={toasts} />
    </Suspense>
  );
}

import { type ComponentType, useEffect, useState, useSyncExternalStore } from 'react';
import { type ShownToast, showCarriedNotice, toastStore } from '../../lib/toast-store.ts';
import { PlainToasts } from './plain-toasts.tsx';

type Region = ComponentType<{ toasts: readonly ShownToast[] }>;

/**
 * Fetches the region's code when a form gets the focus or with the first notice: most visits never need it. If it
 * cannot be fetched, a plain region takes its place.
 */
export function ToastOutlet() {
  const toasts = useSyncExternalStore(toastStore.subscribe, toastStore.get, toastStore.getOnServer);
  const [Region, setRegion] = useState<Region | null>(null);
  const wanted = toasts.length > 0;

  useEffect(showCarriedNotice, []);
  useEffect(() => {
    const fetchRegion = () =>
      import('./toast-region.tsx').then(
        ({ ToastRegion }) => setRegion(() => ToastRegion),
        () => setRegion(() => PlainToasts),
      );
    if (wanted) void fetchRegion();
    const onFocus = (event: FocusEvent) => {
      if (event.target instanceof Element && event.target.closest('form')) void fetchRegion();
    };
    document.addEventListener('focusin', onFocus);
    return () => document.removeEventListener('focusin', onFocus);
  }, [wanted]);

  return wanted && Region ? <Region toasts={toasts} /> : null;
}

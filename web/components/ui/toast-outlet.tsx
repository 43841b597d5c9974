import { type ComponentType, useEffect, useState, useSyncExternalStore } from 'react';
import { type ShownToast, showCarriedNotice, toastStore } from '../../lib/toast-store.ts';
import { whenIdle } from '../../lib/when-idle.ts';
import { PlainToasts } from './plain-toasts.tsx';

type Region = ComponentType<{ toasts: readonly ShownToast[] }>;

/** Loads the toast region when first needed; a plain region replaces it if that fails. */
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
      if (event.target instanceof Element && event.target.closest('form')) whenIdle(fetchRegion);
    };
    document.addEventListener('focusin', onFocus);
    return () => document.removeEventListener('focusin', onFocus);
  }, [wanted]);

  return wanted && Region ? <Region toasts={toasts} /> : null;
}

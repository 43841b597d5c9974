import { remember } from './browser-storage.ts';

const TOAST_LIMIT = 1;
export const TOAST_DURATION_MS = 5000;
export const TOAST_REMOVE_DELAY_MS = 1_000_000;
export const TOAST_SWIPE_THRESHOLD_PX = 50;

export interface Notice {
  title: string;
  description?: string;
  variant?: 'default' | 'destructive';
}
export interface ShownToast extends Notice {
  id: number;
  open: boolean;
}

let toasts: readonly ShownToast[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

function replace(next: readonly ShownToast[]) {
  toasts = next;
  for (const notify of listeners) notify();
}

/** Shows a notice in place of the current one. */
export function toast(notice: Notice): void {
  lastId += 1;
  replace([{ ...notice, id: lastId, open: true }, ...toasts].slice(0, TOAST_LIMIT));
}

/** Closes a notice; it is removed after {@link TOAST_REMOVE_DELAY_MS}. */
export function dismissToast(id: number): void {
  replace(toasts.map((shown) => (shown.id === id ? { ...shown, open: false } : shown)));
  setTimeout(() => replace(toasts.filter((shown) => shown.id !== id)), TOAST_REMOVE_DELAY_MS);
}

export const toastStore = {
  subscribe(notify: () => void) {
    listeners.add(notify);
    return () => void listeners.delete(notify);
  },
  get: () => toasts,
  getOnServer: () => none,
};
const none: readonly ShownToast[] = [];

const CARRIED = 'querywright.notice';

/** Passes a notice on to the next document across a full load. */
export function carryNotice(notice: Notice): void {
  remember.write('sessionStorage', CARRIED, JSON.stringify(notice));
}

export function showCarriedNotice(): void {
  const carried = remember.read('sessionStorage', CARRIED);
  if (!carried) return;
  remember.forget('sessionStorage', CARRIED);
  toast(JSON.parse(carried) as Notice);
}

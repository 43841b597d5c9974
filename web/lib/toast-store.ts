import { remember } from './browser-storage.ts';
import { createStore } from './store.ts';

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

const none: readonly ShownToast[] = [];
const toasts = createStore(none);
let lastId = 0;

export const toastStore = { ...toasts, getOnServer: () => none };

/** Shows a notice in place of the current one. */
export function toast(notice: Notice): void {
  lastId += 1;
  toasts.set([{ ...notice, id: lastId, open: true }, ...toasts.get()].slice(0, TOAST_LIMIT));
}

/** Closes a notice; it is removed after {@link TOAST_REMOVE_DELAY_MS}. */
export function dismissToast(id: number): void {
  toasts.set(toasts.get().map((shown) => (shown.id === id ? { ...shown, open: false } : shown)));
  setTimeout(() => toasts.set(toasts.get().filter((shown) => shown.id !== id)), TOAST_REMOVE_DELAY_MS);
}

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

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { dismissToast, TOAST_REMOVE_DELAY_MS, toast, toastStore } from './toast-store.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  for (const shown of toastStore.get()) dismissToast(shown.id);
  vi.runAllTimers();
  vi.useRealTimers();
});

test('a new notice replaces the current one', () => {
  toast({ title: 'First' });
  toast({ title: 'Second' });
  expect(toastStore.get().map((shown) => shown.title)).toEqual(['Second']);
});

test('a dismissed notice closes at once and is forgotten after a thousand seconds', () => {
  toast({ title: 'Seen' });
  const [shown] = toastStore.get();
  dismissToast(shown?.id ?? 0);
  expect(toastStore.get()[0]?.open).toBe(false);
  vi.advanceTimersByTime(TOAST_REMOVE_DELAY_MS - 1);
  expect(toastStore.get()).toHaveLength(1);
  vi.advanceTimersByTime(1);
  expect(toastStore.get()).toHaveLength(0);
});

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { afterUrgentWork, runUrgently } from './urgent-work.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('work that can wait starts at once when nothing urgent is running', async () => {
  expect(await runUrgently(async () => 'settled')).toBe('settled');
  expect(await afterUrgentWork(async () => 'sent')).toBe('sent');
  expect(vi.getTimerCount()).toBe(0);
});

test('it starts after the last urgent work, failed or not', async () => {
  const urgent = [startUrgent(), startUrgent()];
  const start = vi.fn();
  void afterUrgentWork(start);
  urgent[0]?.fail();
  await vi.advanceTimersByTimeAsync(19);
  expect(start).not.toHaveBeenCalled();
  urgent[1]?.end();
  await vi.advanceTimersByTimeAsync(0);
  expect(start).toHaveBeenCalled();
  expect(vi.getTimerCount()).toBe(0);
});

test('it starts after 20 ms while urgent work hangs', async () => {
  const { end } = startUrgent();
  const start = vi.fn();
  void afterUrgentWork(start);
  await vi.advanceTimersByTimeAsync(19);
  expect(start).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(start).toHaveBeenCalled();
  end();
});

function startUrgent() {
  let end = () => {};
  let fail = () => {};
  const hanging = new Promise<void>((resolve, reject) => {
    end = resolve;
    fail = () => reject(new Error('failed'));
  });
  runUrgently(() => hanging).catch(() => {});
  return { end, fail };
}

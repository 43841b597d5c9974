import { setTimeout as pause } from 'node:timers/promises';

/** The result of `act`, and how long it took. */
export async function timed<T>(act: () => Promise<T>): Promise<{ result: T; ms: number }> {
  const started = performance.now();
  const result = await act();
  return { result, ms: performance.now() - started };
}

/** As {@link timed}, and the longest that one `usual` took meanwhile, which a busy machine may add to `act` too. */
export async function timedBeside<T>(act: () => Promise<T>, usual: () => Promise<unknown>) {
  let usualMs = 0;
  let isOver = false;
  async function repeat(): Promise<void> {
    while (!isOver) {
      usualMs = Math.max(usualMs, (await timed(usual)).ms);
      await pause(50);
    }
  }
  const acted = timed(act).finally(() => {
    isOver = true;
  });
  const [timing] = await Promise.all([acted, repeat()]);
  return { ...timing, usualMs };
}

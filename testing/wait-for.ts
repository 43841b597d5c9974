/**
 * Polls until `probe` returns something truthy, and returns it. The default is longer than the 15 s within which the
 * product recovers on its own. Without `everyMs` the pauses grow from 20 ms to a quarter of a second: many tests wait at
 * once, and each look costs what they wait for.
 * @throws Error with `what` and the last outcome after `timeoutMs`
 */
export async function waitFor<T>(
  what: string,
  probe: () => T | Promise<T>,
  { timeoutMs = 20_000, everyMs }: { timeoutMs?: number; everyMs?: number } = {},
): Promise<Exclude<NonNullable<T>, false>> {
  const started = Date.now();
  const deadline = started + timeoutMs;
  let last: unknown;
  for (;;) {
    try {
      const value = await probe();
      if (value) return value as Exclude<NonNullable<T>, false>;
      last = value;
    } catch (error) {
      last = error;
    }
    if (Date.now() > deadline) throw new Error(`${what}: not within ${timeoutMs} ms (last: ${String(last)})`);
    const pauseMs = everyMs ?? Math.min(Math.max(20, (Date.now() - started) / 8), 250);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

/**
 * Waits until `probe` gives something true (or does not throw) and returns it: for conditions that come true in their
 * own time. Waits longer than the 15 s in which the product promises to heal by itself. @throws Error that names `what` and the last outcome once `timeoutMs` is over
 */
export async function waitFor<T>(
  what: string,
  probe: () => T | Promise<T>,
  { timeoutMs = 20_000, everyMs = 25 } = {},
): Promise<Exclude<NonNullable<T>, false>> {
  const deadline = Date.now() + timeoutMs;
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
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
}

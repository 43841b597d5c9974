/**
 * Polls until `probe` returns something truthy, and returns it. The default is longer than the 15 s within which the
 * product recovers on its own.
 * @throws Error with `what` and the last outcome after `timeoutMs`
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

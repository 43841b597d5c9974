/** The result of `act`, and how long it took. */
export async function timed<T>(act: () => Promise<T>): Promise<{ result: T; ms: number }> {
  const started = performance.now();
  const result = await act();
  return { result, ms: performance.now() - started };
}

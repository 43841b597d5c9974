/** The cache is cleared at this size, because clients choose the keys. */
const MAX_ENTRIES = 1_000;
const MAX_KEY_LENGTH = 64;

/** Memoizes a pure function of a string. Long strings are not cached. */
export function memoize<R>(work: (key: string) => R): (key: string) => R {
  const known = new Map<string, R>();
  return (key) => {
    if (key.length > MAX_KEY_LENGTH) return work(key);
    const before = known.get(key);
    if (before !== undefined) return before;
    const result = work(key);
    if (known.size >= MAX_ENTRIES) known.clear();
    known.set(key, result);
    return result;
  };
}

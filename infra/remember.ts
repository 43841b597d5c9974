/** Above this, all that is remembered is forgotten: strangers choose the keys. */
const MAX_REMEMBERED = 1_000;
const MAX_KEY_LENGTH = 64;

/** Remembers the results of a pure function of a short string; a long one is worked on every time. */
export function remember<R>(work: (key: string) => R): (key: string) => R {
  const known = new Map<string, R>();
  return (key) => {
    if (key.length > MAX_KEY_LENGTH) return work(key);
    const before = known.get(key);
    if (before !== undefined) return before;
    const result = work(key);
    if (known.size >= MAX_REMEMBERED) known.clear();
    known.set(key, result);
    return result;
  };
}

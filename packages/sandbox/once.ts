/** Returns a function that calls `make` once and keeps its value: RSA keys take a tenth of a second, so sandboxes share them. */
export function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
